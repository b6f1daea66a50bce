/* reach_error is the runtime's own where the program only declares it.
 * Reached where the thread sees x set. */
#include <pthread.h>
#include <stddef.h>

extern void reach_error(void);

static int x;

static void *worker(void *arg) {
    (void)arg;
    if (x == 1)
        reach_error();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    pthread_join(t, NULL);
    return 0;
}
