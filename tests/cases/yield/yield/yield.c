/* sched_yield is a step, always possible, and changes nothing.
 * With the lock around x++ it may stand anywhere. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    int old = x;
    sched_yield();
    x = old + 1;
    pthread_mutex_unlock(&m);
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
