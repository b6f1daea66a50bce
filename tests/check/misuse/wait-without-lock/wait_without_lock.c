#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *work(void *arg) {
    pthread_cond_signal(&ready);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_cond_wait(&ready, &lock);
    pthread_join(thread, 0);
    return 0;
}
