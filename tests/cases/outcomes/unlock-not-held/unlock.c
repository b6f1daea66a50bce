/* A mutex is unlocked that nobody holds.
 * Happens where the thread finds no work and unlocks all the same. */
#include <pthread.h>
#include <stddef.h>

static int work;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    if (work)
        pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    work = 1;
    pthread_join(t, NULL);
    return 0;
}
