/* Two readers both want to become writers, each with its read lock in hand.
 * Deadlocks where both are readers when they ask. */
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t k = PTHREAD_RWLOCK_INITIALIZER;

static void *one(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&k);
    pthread_rwlock_unlock(&k);
    pthread_rwlock_unlock(&l);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&k);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&k);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
