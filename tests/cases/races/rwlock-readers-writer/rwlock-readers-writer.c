#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int config;

static void *update(void *arg) {
    pthread_rwlock_wrlock(&lock);
    config++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *consult(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int value = config;
    pthread_rwlock_unlock(&lock);
    return value ? arg : 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, update, 0);
    pthread_create(&threads[1], 0, consult, 0);
    pthread_create(&threads[2], 0, consult, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
