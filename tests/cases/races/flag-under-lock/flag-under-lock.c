#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;

static void *produce(void *arg) {
    data = 42;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *consume(void *arg) {
    pthread_mutex_lock(&lock);
    int may = ready;
    pthread_mutex_unlock(&lock);
    if (may)
        data++;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, produce, 0);
    pthread_create(&two, 0, consume, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return data < 42;
}
