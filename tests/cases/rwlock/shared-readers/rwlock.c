/* Two readers may hold the lock at the same time.
 * Fails where both are inside, which the program says cannot be. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int inside;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&l);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
