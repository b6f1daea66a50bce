#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long price;

static void *set(void *arg) {
    pthread_rwlock_wrlock(&lock);
    price = 100;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *quote(void *arg) {
    long value = 0;
    if (pthread_rwlock_tryrdlock(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    else
        value = price;
    return value ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, set, 0);
    pthread_create(&two, 0, quote, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
