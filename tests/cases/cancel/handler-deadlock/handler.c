/* The handler takes a lock that the cancelled thread holds already: it ends in a deadlock with itself, but
 * only where the request comes before the second wait. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items = 1;
static sem_t s;

static void put_back(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    items++;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    (void)arg;
    pthread_cleanup_push(put_back, NULL);
    sem_wait(&s);
    pthread_mutex_lock(&m);
    items--;
    pthread_testcancel();
    pthread_mutex_unlock(&m);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
