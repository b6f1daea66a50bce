/* A mutex is destroyed while a thread may hold it.
 * Happens where the thread is inside when main destroys it; where it comes later, it uses what is gone. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_destroy(&m);
    pthread_join(t, NULL);
    return 0;
}
