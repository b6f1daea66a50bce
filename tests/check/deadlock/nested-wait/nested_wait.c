#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done;

static void *waiter(void *arg) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (!done)
        pthread_cond_wait(&ready, &inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    done = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(thread, 0);
    return 0;
}
