#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static int get(void) {
    int v = -1;
    if (pthread_rwlock_tryrdlock(&lock) == 0)
        v = value;
    pthread_rwlock_unlock(&lock);
    return v;
}

static void *work(void *arg) {
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int v = get();
    pthread_join(thread, 0);
    return v > 1;
}
