/* Who locks a robust mutex after its owner ended is told, and makes it consistent. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static int x;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
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
    if (error) {
        assert(error == EOWNERDEAD && x == 1);
        assert(pthread_mutex_consistent(&m) == 0);
        assert(pthread_mutex_consistent(&m) == EINVAL);
    }
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(pthread_mutex_trylock(&m) == (error ? 0 : EOWNERDEAD));
    pthread_mutex_consistent(&m);
    pthread_mutex_unlock(&m);
    assert(pthread_mutex_lock(&m) == 0);
    return 0;
}
