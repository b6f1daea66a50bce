#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full, item;

static void *produce(void *arg) {
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    item = 8;
    return arg;
}

static void *consume(void *arg) {
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
    return item ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&two, 0, consume, 0);
    pthread_create(&one, 0, produce, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
