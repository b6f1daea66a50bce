/* A worker reads in a block that libc maps for itself.
 * The block is freed when the worker is joined. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *argument) {
    ((volatile char *)argument)[100];
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    char *block = malloc(64 << 20);
    block[100] = 1;
    pthread_create(&t, NULL, worker, block);
    pthread_join(t, NULL);
    free(block);
    return 0;
}
