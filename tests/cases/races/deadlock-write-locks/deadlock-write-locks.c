#include <pthread.h>

static pthread_rwlock_t index_lock = PTHREAD_RWLOCK_INITIALIZER, data_lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

static void with_data(void (*what)(void)) {
    pthread_rwlock_wrlock(&data_lock);
    what();
    pthread_rwlock_unlock(&data_lock);
}

static void add(void) {
    entries++;
}

static void compact(void) {
    pthread_rwlock_wrlock(&index_lock);
    entries = 0;
    pthread_rwlock_unlock(&index_lock);
}

static void *insert(void *arg) {
    pthread_rwlock_wrlock(&index_lock);
    with_data(add);
    pthread_rwlock_unlock(&index_lock);
    return arg;
}

static void *maintain(void *arg) {
    with_data(compact);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, insert, 0);
    pthread_create(&two, 0, maintain, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
