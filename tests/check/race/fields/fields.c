#include <pthread.h>

static struct { unsigned a : 4, b : 4; } pair;

static void *work(void *arg) {
    pair.a = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pair.b = 2;
    pthread_join(thread, 0);
    return 0;
}
