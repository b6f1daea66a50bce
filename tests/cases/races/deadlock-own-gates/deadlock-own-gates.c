#include <pthread.h>

static pthread_mutex_t gate1 = PTHREAD_MUTEX_INITIALIZER, gate2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *one_way(void *arg) {
    pthread_mutex_lock(&gate1);
    both(&a, &b);
    pthread_mutex_unlock(&gate1);
    return arg;
}

static void *other_way(void *arg) {
    pthread_mutex_lock(&gate2);
    both(&b, &a);
    pthread_mutex_unlock(&gate2);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, one_way, 0);
    pthread_create(&two, 0, other_way, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
