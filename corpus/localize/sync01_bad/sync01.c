#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
static int number = 1;

static void *producer(void *arg) {
    pthread_mutex_lock(&lock);
    while (number > 0)
        pthread_cond_wait(&empty, &lock);
    number++;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&full);
    return arg;
}

static void *consumer(void *arg) {
    pthread_mutex_lock(&lock);
    while (number == 0)
        pthread_cond_wait(&full, &lock);
    int taken = number;
    (void)taken;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&empty);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
