#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t b;
static int x;

static void *thread(void *arg) {
    int serial = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
    if (serial)
        x = 1;
    int seen = x;
    (void)seen;
    return arg;
}

int main(void) {
    pthread_t threads[N];
    pthread_barrier_init(&b, NULL, N);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
