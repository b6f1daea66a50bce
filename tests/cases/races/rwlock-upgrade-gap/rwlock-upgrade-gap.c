#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entry;

static void *ensure(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int there = entry;
    pthread_rwlock_unlock(&lock);
    if (!there)
        entry = 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, ensure, 0);
    pthread_create(&two, 0, ensure, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
