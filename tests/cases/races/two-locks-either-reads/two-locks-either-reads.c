#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int setting, seen[2];

static void *write_it(void *arg) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    setting = 3;
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return arg;
}

static void *read_left(void *arg) {
    pthread_mutex_lock(&left);
    seen[0] = setting;
    pthread_mutex_unlock(&left);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, write_it, 0);
    pthread_create(&two, 0, read_left, 0);
    pthread_mutex_lock(&right);
    seen[1] = setting;
    pthread_mutex_unlock(&right);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return seen[0] + seen[1] > 6;
}
