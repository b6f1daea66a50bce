/* UNPICK_ATOMIC_BEGIN and _END: nobody comes in between.
 * The section is one step for the others. */
#include <pthread.h>
#include <stddef.h>
#include <unpick.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    UNPICK_ATOMIC_BEGIN();
    x++;
    UNPICK_ATOMIC_END();
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
