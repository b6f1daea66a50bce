/* A recursive mutex is locked twice and unlocked once: it stays with a thread that is gone.
 * Deadlocks where the other thread comes later. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *keeper(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, keeper, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
