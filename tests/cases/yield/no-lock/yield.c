/* sched_yield is no synchronisation.
 * Fails where an update is lost. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    sched_yield();
    x++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
