/* R_assert of unpick.h: holds in every run.
 * Without Unpick it would not even be evaluated. */
#include <pthread.h>
#include <stddef.h>
#include <unpick.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    R_assert(x == 0 || x == 1);
    pthread_join(t, NULL);
    R_assert(x == 1);
    return 0;
}
