/* tryrdlock and trywrlock never block: they fail where the lock is taken the other way.
 * Main's read lock admits a reader, and no writer. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_rwlock_rdlock(&l);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_trywrlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    return 0;
}
