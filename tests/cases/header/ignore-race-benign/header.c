/* UNPICK_IGNORE_RACE on a counter of hits whose exact value does not matter.
 * The program is right with every value that the race can leave. */
#include <pthread.h>
#include <stddef.h>
#include <unpick.h>

static int hits;

static void *worker(void *arg) {
    (void)arg;
    hits++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    UNPICK_IGNORE_RACE(&hits, sizeof hits);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    R_assert(hits >= 1);
    return 0;
}
