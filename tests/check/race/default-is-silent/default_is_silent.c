#include <pthread.h>

static int progress;

static void *work(void *arg) {
    progress = 1;
    progress = 2;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int seen = progress;
    pthread_join(thread, 0);
    return seen < 0;
}
