#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int available, from_first, from_second;

static void announce(void) {
    pthread_mutex_lock(&lock);
    available++;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static void *first(void *arg) {
    from_first = 1;
    announce();
    return arg;
}

static void *second(void *arg) {
    from_second = 1;
    announce();
    return arg;
}

static void *consume(void *arg) {
    pthread_mutex_lock(&lock);
    while (available == 0)
        pthread_cond_wait(&more, &lock);
    pthread_mutex_unlock(&lock);
    return from_first ? arg : 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_create(&threads[2], 0, consume, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return from_second != 1;
}
