/* sem_trywait never blocks: one of two threads gets the only unit, the other EAGAIN.
 * Nobody posts. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t s;
static atomic_int got;

static void *worker(void *arg) {
    (void)arg;
    if (sem_trywait(&s) == 0)
        atomic_fetch_add(&got, 1);
    else
        assert(errno == EAGAIN);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    sem_init(&s, 0, 1);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(got == 1);
    return 0;
}
