#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
static int x = 1, y = 2;

static int read_both(pthread_rwlock_t *first, pthread_rwlock_t *second) {
    pthread_rwlock_rdlock(first);
    pthread_rwlock_rdlock(second);
    int sum = x + y;
    pthread_rwlock_unlock(second);
    pthread_rwlock_unlock(first);
    return sum;
}

static void *other(void *arg) {
    return read_both(&b, &a) == 3 ? arg : 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, other, 0);
    int sum = read_both(&a, &b);
    pthread_join(one, 0);
    return sum != 3;
}
