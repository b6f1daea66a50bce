/* A worker locks a mutex that lies in a block.
 * The block is freed before the worker is joined. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *argument) {
    pthread_mutex_lock(argument);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_t *block = malloc(sizeof *block);
    pthread_mutex_init(block, NULL);
    pthread_create(&t, NULL, worker, block);
    free(block);
    pthread_join(t, NULL);
    return 0;
}
