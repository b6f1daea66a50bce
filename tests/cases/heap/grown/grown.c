/* A block is filled and grown while another thread looks at it.
 * Fails where that looks before it is filled; realloc does not make anybody forget who touched it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *worker(void *block) {
    assert(*(int *)block == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    int *block = malloc(16);
    *block = 0;
    pthread_create(&t, NULL, worker, block);
    *block = 1;
    block = realloc(block, 20);
    pthread_join(t, NULL);
    free(block);
    return 0;
}
