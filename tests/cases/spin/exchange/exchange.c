/* A lock by test-and-set. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int owner;
static _Atomic int taken;

static void lock(void) {
#ifdef TORN
    while (taken == 1) {
    }
    taken = 1;
#else
    while (atomic_exchange(&taken, 1) == 1) {
    }
#endif
}

static void unlock(void) {
    taken = 0;
}

static void *run(void *arg) {
    int me = (int)(long)arg;
    lock();
    owner = me;
    assert(owner == me);
    unlock();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
