#include <assert.h>
#include <pthread.h>

static pthread_mutex_t locks[1] = {PTHREAD_MUTEX_INITIALIZER};
static int value;

static void *work(void *arg) {
    pthread_mutex_t *lock = arg;
    pthread_mutex_lock(lock);
    int old = value;
    value = old + 1;
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, locks);
    pthread_create(&b, 0, work, &locks[0]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(value == 2);
    return 0;
}
