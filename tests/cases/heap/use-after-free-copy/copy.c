/* A worker copies a block of its creator's.
 * The block is freed before the worker is joined. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char copied[100];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *argument) {
    memcpy(copied, argument, sizeof copied);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    char *block = calloc(1, 100);
    pthread_create(&t, NULL, worker, block);
    free(block);
    pthread_join(t, NULL);
    return 0;
}
