#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t b;

static void *thread(void *arg) {
    for (int i = 0; i < 2; i++)
        pthread_barrier_wait(&b);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    pthread_barrier_init(&b, NULL, N);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
