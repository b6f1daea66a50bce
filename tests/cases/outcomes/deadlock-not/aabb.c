/* Two locks, in one order: no deadlock.
 * The same threads as in outcomes/deadlock. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, worker, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
