#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int called, task;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    int come = called;
    pthread_mutex_unlock(&lock);
    if (come)
        assert(task == 7);
    return arg;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    called = 1;
    pthread_mutex_unlock(&lock);
    task = 7;
    pthread_join(worker, NULL);
    return 0;
}
