/* Threads increment a number under a lock made of one atomic. After its own step a thread finds
 * the number larger than it was: nobody decrements. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_uint value;
static atomic_int m;

static void acquire(void) {
    int is_free = 0;
    while (!atomic_compare_exchange_strong(&m, &is_free, 1))
        is_free = 0;
}

static void release(void) {
    m = 0;
}

static void *increment(void *arg) {
    acquire();
    if (value == -1u) {
        release();
        return arg;
    }
    unsigned v = value;
#ifdef BAD /* too early */
    release();
    value = v + 1;
#else
    value = v + 1;
    release();
#endif
    assert(value > v);
    return arg;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(value == THREADS);
    return 0;
}
