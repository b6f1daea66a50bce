/* A barrier for three at which only two arrive.
 * Deadlocks always. */
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t b;

static void *worker(void *arg) {
    (void)arg;
    pthread_barrier_wait(&b);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 3);
    pthread_create(&t, NULL, worker, NULL);
    pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    return 0;
}
