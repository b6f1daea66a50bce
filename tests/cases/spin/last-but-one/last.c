#include <assert.h>
#include <pthread.h>

static volatile int step;

static void *run(void *arg) {
    (void)arg;
    int before = -1;
    for (;;) {
        int now = step;
        if (now == 2)
            break;
        before = now;
    }
    assert(before != 1);
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
