/* A thread ends the whole program with exit(0): that is a good end.
 * Main waits for something that never comes, but it is cut off. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>

static sem_t never;

static void *worker(void *arg) {
    (void)arg;
    exit(0);
}

int main(void) {
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&never);
    return 1;
}
