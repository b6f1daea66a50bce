#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int result = -1;

static void *attempt(void *arg) {
    result = pthread_mutex_trylock(&lock);
    if (result == 0)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, attempt, 0);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    assert(result == 0 || result == EBUSY);
    assert(result == EBUSY);
    return 0;
}
