#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, total;

static void *early(void *arg) {
    total = 1;
    pthread_mutex_lock(&lock);
    shared += 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *late(void *arg) {
    pthread_mutex_lock(&lock);
    shared += 2;
    pthread_mutex_unlock(&lock);
    int now = total;
    return now ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, early, 0);
    pthread_create(&two, 0, late, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
