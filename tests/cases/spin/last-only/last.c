#include <assert.h>
#include <pthread.h>

static volatile int step;

static void *run(void *arg) {
    (void)arg;
    int now;
    do {
        now = step;
    } while (now == 0);
    assert(now == 1 || now == 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    step = 1;
    step = 2;
    pthread_join(thread, 0);
    return 0;
}
