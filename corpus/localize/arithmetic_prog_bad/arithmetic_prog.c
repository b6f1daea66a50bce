#include <assert.h>
#include <pthread.h>

#define ROUNDS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int waiting_items, total, finished;

static void *producer(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        while (waiting_items > 0)
            pthread_cond_wait(&empty, &lock);
        waiting_items++;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consumer(void *arg) {
    int next = 1;
    while (next <= ROUNDS + 1) {
        pthread_mutex_lock(&lock);
        while (waiting_items == 0)
            pthread_cond_wait(&full, &lock);
        waiting_items--;
        total += next++;
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&lock);
    }
    finished = 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (finished)
        assert(total == ROUNDS * (ROUNDS + 1) / 2);
    return 0;
}
