#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stage, payload;

static void *early(void *arg) {
    payload = 11;
    pthread_mutex_lock(&lock);
    stage = 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *late(void *arg) {
    pthread_mutex_lock(&lock);
    int now = stage;
    stage = 0;
    pthread_mutex_unlock(&lock);
    switch (now) {
    case 2:
        return payload ? arg : 0;
    default:
        return 0;
    }
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, early, 0);
    pthread_create(&two, 0, late, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
