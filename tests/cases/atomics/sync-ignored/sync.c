/* The result of __sync_lock_test_and_set is ignored: the lock locks nobody out.
 * Fails where an update is lost. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int lock, x;

static void *worker(void *arg) {
    (void)arg;
    (void)__sync_lock_test_and_set(&lock, 1);
    x++;
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
