#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *arg) {
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    unsigned n = sizeof threads / sizeof threads[0];
    pthread_barrier_init(&barrier, 0, n);
    for (unsigned i = 0; i < n; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (unsigned i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    return 0;
}
