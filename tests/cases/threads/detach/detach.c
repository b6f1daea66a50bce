/* pthread_detach: nobody joins the thread; a semaphore tells that it is done.
 * Main may return while the thread still has to exit. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;
static int x;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    sem_wait(&done);
    assert(x == 1);
    return 0;
}
