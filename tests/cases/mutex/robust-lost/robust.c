/* Unlocked without being made consistent, a robust mutex is lost for everybody. */
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
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    int again = pthread_mutex_lock(&m);
    assert(again == (error ? ENOTRECOVERABLE : EOWNERDEAD));
    assert(error == 0);
    return 0;
}
