/* reach_error is there, and the lock keeps everybody from it.
 * x is never seen half way. */
#include <pthread.h>
#include <stddef.h>

extern void reach_error(void);

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (x == 1)
        reach_error();
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    x = 1;
    x = 2;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
