#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state;

static int *acquire(void) {
    pthread_mutex_lock(&lock);
    return &state;
}

static void release(int *at, int value) {
    *at = value;
    pthread_mutex_unlock(&lock);
}

static void *step(void *arg) {
    int *at = acquire();
    release(at, *at + 1);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, step, 0);
    pthread_create(&two, 0, step, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return state != 2;
}
