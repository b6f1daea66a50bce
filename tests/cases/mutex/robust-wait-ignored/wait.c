/* A waiter's mutex is left locked by who signalled: the wait itself says that its owner ended. The program
 * expects that it does not. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, worker, NULL);
    int error = pthread_mutex_lock(&m);
    if (error == 0) {
        assert(!ready);
        error = pthread_cond_wait(&c, &m);
    }
    assert(error == 0 && ready);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
