/* Kinds of mutexes, by attributes and by initialisers. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t checks = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, made, robust;
pthread_spinlock_t spin;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
int x, errors;
void *uses(void *arg) {
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    pthread_mutex_unlock(&again);
    errors += pthread_mutex_unlock(&checks) == EPERM;
    pthread_mutex_lock(&checks);
    errors += pthread_mutex_lock(&checks) == EDEADLK;
    pthread_mutex_unlock(&checks);
    pthread_mutex_unlock(&again);
    if (pthread_mutex_trylock(&plain) == 0) {
        x++;
        pthread_mutex_unlock(&plain);
    }
    pthread_mutex_lock(&made);
    pthread_mutex_lock(&made);
    pthread_mutex_unlock(&made);
    pthread_mutex_unlock(&made);
    pthread_spin_lock(&spin);
    x++;
    pthread_spin_unlock(&spin);
    pthread_rwlock_rdlock(&shared);
    int seen = x;
    pthread_rwlock_unlock(&shared);
    if (pthread_rwlock_trywrlock(&shared) == 0) {
        x = seen + 1;
        pthread_rwlock_unlock(&shared);
    }
    int told = pthread_mutex_lock(&robust);
    if (told == EOWNERDEAD) {
        pthread_mutex_consistent(&robust);
        pthread_mutex_unlock(&robust);
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&made, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &kind);
    pthread_mutexattr_destroy(&kind);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, uses, 0);
    pthread_create(&b, 0, uses, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_destroy(&made);
    pthread_spin_destroy(&spin);
    return 0;
}
