/* Increments by compare-and-swap, tried again until it succeeds.
 * Each failure means that the other succeeded, so the loop ends. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *worker(void *arg) {
    (void)arg;
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &old, old + 1))
        ;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
