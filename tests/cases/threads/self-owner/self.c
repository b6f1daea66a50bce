/* Two threads note who owns something by pthread_self, without a lock.
 * Fails where the other writes its own id between the write and the check. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t owner;

static void *worker(void *arg) {
    (void)arg;
    owner = pthread_self();
    assert(pthread_equal(owner, pthread_self()));
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
