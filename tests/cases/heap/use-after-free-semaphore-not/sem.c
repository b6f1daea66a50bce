/* A worker posts a semaphore that lies in a block.
 * The block is freed when the worker is joined. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *argument) {
    sem_post(argument);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_t *block = malloc(sizeof *block);
    sem_init(block, 0, 0);
    pthread_create(&t, NULL, worker, block);
    pthread_join(t, NULL);
    free(block);
    return 0;
}
