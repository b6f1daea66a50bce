#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int ledger;

static void *die(void *arg) {
    pthread_mutex_lock(&lock);
    return arg;
}

static void *heir(void *arg) {
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    pthread_mutex_unlock(&lock);
    ledger = 1;
    return arg;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_t one, two;
    pthread_create(&one, 0, die, 0);
    pthread_join(one, 0);
    pthread_create(&two, 0, heir, 0);
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    int seen = ledger;
    pthread_mutex_unlock(&lock);
    pthread_join(two, 0);
    return seen > 1;
}
