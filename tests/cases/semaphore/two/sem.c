/* A semaphore of 2 as a lock for two threads excludes nobody.
 * Fails where an update is lost. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;
static int x;

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&s);
    x++;
    sem_post(&s);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    sem_init(&s, 0, 2);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
