#include <pthread.h>

static pthread_rwlock_t left = PTHREAD_RWLOCK_INITIALIZER, right = PTHREAD_RWLOCK_INITIALIZER;
static int l, r;

static void *to_right(void *arg) {
    pthread_rwlock_rdlock(&left);
    pthread_rwlock_wrlock(&right);
    r = l;
    pthread_rwlock_unlock(&right);
    pthread_rwlock_unlock(&left);
    return arg;
}

static void *to_left(void *arg) {
    pthread_rwlock_rdlock(&right);
    pthread_rwlock_wrlock(&left);
    l = r;
    pthread_rwlock_unlock(&left);
    pthread_rwlock_unlock(&right);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, to_right, 0);
    pthread_create(&two, 0, to_left, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
