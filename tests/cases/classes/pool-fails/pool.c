#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *job(void *arg) {
    x++;
    return arg;
}

/* A worker starts its job in a thread of its own. */
static void *worker(void *arg) {
    pthread_t t;
    pthread_create(&t, NULL, job, NULL);
    pthread_join(t, NULL);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x == N);
    return 0;
}
