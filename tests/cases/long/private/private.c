/* A million private accesses before the one that matters: more than the log holds at once.
 * Fails where both threads read the counter before either writes it. */
#include <assert.h>
#include <pthread.h>

static long table[256];
static int counter;

static void *worker(void *arg) {
    counter++;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (long i = 0; i < 250000; i++)
        table[i & 255] += i;
    counter++;
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
