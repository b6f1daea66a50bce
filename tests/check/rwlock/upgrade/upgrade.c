#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *work(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int missing = value == 0;
    if (missing) {
        pthread_rwlock_wrlock(&lock);
        if (value == 0)
            value++;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(value == 1);
    return 0;
}
