#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int a, b;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    a = 1;
    return arg;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attributes);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    int result = pthread_mutex_lock(&lock);
    assert(result == EOWNERDEAD);
    b = a;
    pthread_mutex_consistent(&lock);
    assert(a == b);
    pthread_mutex_unlock(&lock);
    return 0;
}
