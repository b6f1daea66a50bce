/* A wait that is told to go on by a signal alone: `if` in place of `while`, and the signal may come first. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
static int number;

static void *produce(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (number > 0)
        pthread_cond_wait(&empty, &lock);
    number++;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&full);
    return NULL;
}

static void *consume(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int before = number;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (before == 0)
        pthread_cond_wait(&full, &lock);
    number--;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&empty);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, produce, NULL);
    pthread_create(&other, NULL, consume, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
