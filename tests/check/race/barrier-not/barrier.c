#include <pthread.h>

static pthread_barrier_t barrier;
static int cell;

static void *work(void *arg) {
    cell = 1;
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, work, 0);
    pthread_barrier_wait(&barrier);
    cell = 2;
    pthread_join(thread, 0);
    return 0;
}
