/* Initialisation on first use, made by hand with a flag.
 * Fails where both see the flag unset. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int done, runs;

static void *worker(void *arg) {
    (void)arg;
    if (!done) {
        done = 1;
        runs++;
    }
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(done == 1 && runs == 1);
    return 0;
}
