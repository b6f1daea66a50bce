/* A lock by trying, with a yield before each attempt. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static int owner;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) {
#ifdef ONCE
    pthread_mutex_trylock(&mutex);
#else
    do {
        sched_yield();
    } while (pthread_mutex_trylock(&mutex) != 0);
#endif
}

static void unlock(void) {
#ifndef ONCE
    pthread_mutex_unlock(&mutex);
#endif
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
