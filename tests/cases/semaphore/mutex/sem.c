/* A semaphore of 1 as a lock: two threads, no update is lost.
 * Its value is 1 again in the end. */
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
    int value;
    sem_init(&s, 0, 1);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    assert(sem_getvalue(&s, &value) == 0 && value == 1);
    sem_destroy(&s);
    return 0;
}
