/* Check and use of a pointer under a lock: no crash.
 * Main clears it before or after. */
#include <pthread.h>
#include <stddef.h>

static int one, *p = &one, sink;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (p)
        sink = *p;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    p = NULL;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return sink;
}
