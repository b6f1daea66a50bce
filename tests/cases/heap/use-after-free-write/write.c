/* A worker writes into a block of its creator's.
 * The block is freed before the worker is joined. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *argument) {
    ((short *)argument)[5] = 1;
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    short *block = malloc(32);
    pthread_create(&t, NULL, worker, block);
    free(block);
    pthread_join(t, NULL);
    return 0;
}
