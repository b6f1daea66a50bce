/* Looks at memory that it did not set, after a thread has ended that had freed it: libc leaves a number
 * there that is another in each process. Fails always; the run must be the same each time. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { MANY = 6000 };
static unsigned long seen;

static void *worker(void *unused) {
    static void *blocks[MANY];
    for (int i = 0; i < MANY; i++)
        blocks[i] = malloc(40);
    for (int i = 0; i < MANY; i++)
        free(blocks[i]);
    seen = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    for (int i = 0; i < 20; i++) {
        unsigned long *block = malloc(40);
        for (int word = 0; word < 5; word++)
            seen = seen * 3 + block[word];
    }
    assert(seen == 1);
    return 0;
}
