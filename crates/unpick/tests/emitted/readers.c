#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int one_half, other_half;

static void *change(void *arg) {
    pthread_rwlock_wrlock(&lock);
    one_half++;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    other_half++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *look(void *arg) {
    pthread_rwlock_rdlock(&lock);
    assert(one_half == other_half);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, change, 0);
    pthread_create(&two, 0, look, 0);
    pthread_create(&three, 0, look, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
