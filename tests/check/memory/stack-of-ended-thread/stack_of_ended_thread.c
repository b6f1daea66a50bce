#include <pthread.h>

static int *published;

static void *work(void *arg) {
    int local = 5;
    published = &local;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return *published == 7;
}
