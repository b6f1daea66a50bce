#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int sample;

static void *sensor(void *arg) {
    for (int i = 1; i < 3; i++) {
        pthread_rwlock_rdlock(&lock);
        sample = i;
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

static void *snapshot(void *arg) {
    pthread_rwlock_wrlock(&lock);
    int seen = sample;
    pthread_rwlock_unlock(&lock);
    return seen ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, sensor, 0);
    pthread_create(&two, 0, snapshot, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
