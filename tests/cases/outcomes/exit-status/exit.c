/* Main returns 3 where the thread was faster, else 0.
 * A status other than 0 is a failure, unless it is expected. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    x = 3;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int status = x;
    pthread_join(t, NULL);
    return status;
}
