/* Waits for the clock to show the next second. That takes long, but it is no livelock. */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

static void *worker(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    time_t begun = time(NULL);
    while (time(NULL) == begun)
        sched_yield();
    pthread_join(thread, NULL);
    return 0;
}
