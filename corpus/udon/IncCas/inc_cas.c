/* Threads increment a number by compare-and-swap, and try again where another came in between. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_uint value;

static void *increment(void *arg) {
    unsigned v, next;
    do {
        v = value;
        if (v == -1u)
            return arg;
        next = v + 1;
#ifdef BAD /* compares, and swaps afterwards */
    } while (value != v);
    value = next;
#else
    } while (!atomic_compare_exchange_strong(&value, &v, next));
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
