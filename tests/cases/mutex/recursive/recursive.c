/* A recursive mutex, locked twice by its holder; each lock has its unlock.
 * Main is the other thread. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static pthread_mutex_t m;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    int seen = x;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(seen == 0 || seen == 2);
    pthread_mutex_destroy(&m);
    return 0;
}
