#include <pthread.h>

static pthread_barrier_t pairs;
static int news;

static void *writer(void *arg) {
    news = 1;
    pthread_barrier_wait(&pairs);
    return arg;
}

static void *reader(void *arg) {
    pthread_barrier_wait(&pairs);
    return news ? arg : 0;
}

static void *stranger(void *arg) {
    pthread_barrier_wait(&pairs);
    return arg;
}

int main(void) {
    pthread_barrier_init(&pairs, 0, 2);
    void *(*bodies[])(void *) = {writer, reader, stranger, stranger};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, bodies[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
