/* Test, sleep, and test-and-set: a loop in a loop. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int owner;
static _Atomic int taken;

static void lock(void) {
    for (;;) {
#ifdef BLIND
        if (taken == 0)
            break;
#else
        while (taken)
            usleep(10);
        if (atomic_exchange(&taken, 1) == 0)
            break;
#endif
    }
#ifdef BLIND
    taken = 1;
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
