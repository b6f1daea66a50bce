#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    assert(pthread_mutex_lock(&lock) == 0);
    int again = pthread_mutex_lock(&lock);
    assert(again == EDEADLK);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return 0;
}
