#include <assert.h>
#include <pthread.h>

static int number = 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;

static void *producer(void *arg) {
    pthread_mutex_lock(&lock);
    while (number > 0)
        pthread_cond_wait(&empty, &lock);
    number++;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *consumer(void *arg) {
    pthread_mutex_lock(&lock);
    while (number == 0)
        pthread_cond_wait(&full, &lock);
    number--;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(number == 1);
    return 0;
}
