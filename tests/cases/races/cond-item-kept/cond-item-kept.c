#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static struct item { int size, stamp; } only, *place;

static void *produce(void *arg) {
    only.size = 1;
    pthread_mutex_lock(&lock);
    place = &only;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    only.stamp = 2;
    return arg;
}

static void *consume(void *arg) {
    pthread_mutex_lock(&lock);
    while (!place)
        pthread_cond_wait(&not_empty, &lock);
    struct item *mine = place;
    pthread_mutex_unlock(&lock);
    mine->size = 0;
    mine->stamp = 0;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, produce, 0);
    pthread_create(&two, 0, consume, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
