#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int alive;

static void *work(void *arg) {
    int now = ++alive;
    assert(now < 3);
    --alive;
    return arg;
}

int main(void) {
    while (1) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_detach(thread);
    }
}
