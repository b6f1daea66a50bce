#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static struct { int low, high; } pair;

static void *change(void *arg) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    pair.low = 1;
    pthread_mutex_unlock(&inner);
    pair.high = 1;
    pthread_mutex_unlock(&outer);
    return arg;
}

static void *look(void *arg) {
    pthread_mutex_lock(&inner);
    int low = pair.low;
    int high = pair.high;
    pthread_mutex_unlock(&inner);
    return low == high ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, change, 0);
    pthread_create(&two, 0, look, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
