/* Main ends with pthread_exit: the process goes on until its threads are done.
 * The thread waits for main's post, so it always outlives main's work. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t go;
static int x;

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&go);
    assert(x == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&go, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    sem_post(&go);
    pthread_exit(NULL);
}
