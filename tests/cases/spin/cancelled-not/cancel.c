#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static volatile int flag;

static void *run(void *arg) {
    (void)arg;
    while (!flag)
        usleep(10);
    return 0;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, run, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result != PTHREAD_CANCELED);
    return 0;
}
