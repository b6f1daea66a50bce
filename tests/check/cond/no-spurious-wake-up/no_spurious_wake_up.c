#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int value;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    value = 3;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    if (value == 0)
        pthread_cond_wait(&ready, &lock);
    assert(value == 3);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
