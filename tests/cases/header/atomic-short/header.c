/* An atomic section that ends between the read and the write is of no use.
 * Fails where an update is lost. */
#include <pthread.h>
#include <stddef.h>
#include <unpick.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    UNPICK_ATOMIC_BEGIN();
    int old = x;
    UNPICK_ATOMIC_END();
    x = old + 1;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    R_assert(x == 2);
    return 0;
}
