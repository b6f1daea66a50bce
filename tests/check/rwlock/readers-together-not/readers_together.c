#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *work(void *arg) {
    pthread_rwlock_wrlock(&lock);
    hits = hits + 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_rwlock_rdlock(&lock);
    assert(hits == 2);
    pthread_rwlock_unlock(&lock);
    return 0;
}
