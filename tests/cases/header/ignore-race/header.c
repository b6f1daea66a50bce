/* UNPICK_IGNORE_RACE tells that a race is meant; its accesses stay scheduling points.
 * Fails where an update is lost: what the race does is still explored. */
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
    R_assert(hits == 2);
    return 0;
}
