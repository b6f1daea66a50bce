#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int stage;

static void *work(void *arg) {
    atomic_store(&stage, 1);
    while (atomic_load(&stage) != 2)
        sched_yield();
    atomic_store(&stage, 3);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    while (atomic_load(&stage) != 1)
        sched_yield();
    atomic_store(&stage, 2);
    pthread_join(thread, 0);
    assert(atomic_load(&stage) == 3);
    return 0;
}
