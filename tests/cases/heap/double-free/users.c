/* Two owners, each of which frees the block when it sees that the other has left. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int users = 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void release(void *block) {
    pthread_mutex_lock(&lock);
    users--;
    pthread_mutex_unlock(&lock);
    if (users == 0)
        free(block);
}

static void *worker(void *block) {
    release(block);
    return NULL;
}

int main(void) {
    pthread_t t;
    char *block = malloc(24);
    pthread_create(&t, NULL, worker, block);
    release(block);
    pthread_join(t, NULL);
    return 0;
}
