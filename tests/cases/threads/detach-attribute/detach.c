/* A thread that is created detached, by its attribute.
 * Nothing but its start, its post and its exit can interleave. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;

static void *worker(void *arg) {
    (void)arg;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_attr_t attr;
    sem_init(&done, 0, 0);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&t, &attr, worker, NULL) == 0);
    sem_wait(&done);
    return 0;
}
