#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    int result = 0;
    while (!done && result == 0)
        result = pthread_cond_timedwait(&ready, &lock, &until);
    assert(done || result == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
