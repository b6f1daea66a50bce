/* The once routine takes a mutex, and main calls pthread_once with that mutex in hand.
 * Deadlocks where the thread is inside the routine when main has the mutex. */
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void init(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

static void nothing(void) {
}

static void *worker(void *arg) {
    (void)arg;
    pthread_once(&once, init);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    pthread_once(&once, nothing);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
