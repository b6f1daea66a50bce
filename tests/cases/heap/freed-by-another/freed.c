/* One thread frees a block that another still reads: the free comes before or after the read.
 * Fails where it comes before. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *worker(void *block) {
    free(block);
    return NULL;
}

int main(void) {
    pthread_t t;
    long *block = malloc(64);
    block[0] = 1;
    block[1] = 2;
    pthread_create(&t, NULL, worker, block);
    long seen = block[1];
    assert(seen == 2);
    pthread_join(t, NULL);
    return 0;
}
