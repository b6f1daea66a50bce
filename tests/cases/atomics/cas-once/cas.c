/* An increment by a compare-and-swap that is not tried again.
 * Fails where it finds another value than it expects. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *worker(void *arg) {
    (void)arg;
    int old = atomic_load(&x);
    atomic_compare_exchange_strong(&x, &old, old + 1);
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
