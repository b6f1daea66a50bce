/* A normal mutex is locked again by its holder: it would wait for itself.
 * Happens where the thread sees that main has asked for a second turn. */
#include <pthread.h>
#include <stddef.h>

static int again;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (again)
        pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    again = 1;
    pthread_join(t, NULL);
    return 0;
}
