#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int record;

static void *leave_locked(void *arg) {
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    record = 1;
    return arg;
}

static void *take_over(void *arg) {
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    record = 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_t one, two;
    pthread_create(&one, 0, leave_locked, 0);
    pthread_create(&two, 0, take_over, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
