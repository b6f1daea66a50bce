#include <pthread.h>

static int *published;

static void *inner(void *arg) {
    *published += 1;
    return arg;
}

static void *work(void *arg) {
    int local = 5;
    published = &local;
    pthread_t thread;
    pthread_create(&thread, 0, inner, 0);
    pthread_join(thread, 0);
    return local == 6 ? arg : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
