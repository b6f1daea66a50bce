/* pthread_self in the thread is the id that pthread_create gave to main.
 * The thread leaves it in a variable; main compares after the join. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t mine;

static void *worker(void *arg) {
    (void)arg;
    mine = pthread_self();
    assert(pthread_equal(mine, pthread_self()));
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    assert(!pthread_equal(t, pthread_self()));
    pthread_join(t, NULL);
    assert(pthread_equal(mine, t));
    return 0;
}
