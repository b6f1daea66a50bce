/* A worker reads in the middle of four megabytes.
 * The block is freed before the worker is joined. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *argument) {
    ((volatile char *)argument)[2 << 20];
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    char *block = malloc(4 << 20);
    block[2 << 20] = 1;
    pthread_create(&t, NULL, worker, block);
    free(block);
    pthread_join(t, NULL);
    return 0;
}
