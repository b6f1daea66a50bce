#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int *place, items[2];

static void *produce(void *arg) {
    for (int i = 0; i < 2; i++) {
        items[i] = i + 1;
        pthread_mutex_lock(&lock);
        while (place)
            pthread_cond_wait(&not_full, &lock);
        place = &items[i];
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, produce, 0);
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (!place)
            pthread_cond_wait(&not_empty, &lock);
        int *mine = place;
        place = 0;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
        sum += (*mine)++;
    }
    pthread_join(one, 0);
    return sum != 3;
}
