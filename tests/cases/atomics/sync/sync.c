/* GCC's older __sync built-ins: a try-lock of __sync_lock_test_and_set around x++.
 * Who does not get it adds atomically to another counter. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int lock, x, missed;

static void *worker(void *arg) {
    (void)arg;
    if (__sync_lock_test_and_set(&lock, 1) == 0) {
        x++;
        __sync_lock_release(&lock);
    } else {
        __sync_fetch_and_add(&missed, 1);
    }
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    __sync_synchronize();
    assert(x + missed == 2);
    assert(__sync_bool_compare_and_swap(&lock, 0, 1));
    return 0;
}
