/* A thread relocks an error-checking mutex if it finds work, and does not expect the error.
 * Fails where main has left work before the thread looks. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static int work;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (work)
        assert(pthread_mutex_lock(&m) == 0);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    work = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
