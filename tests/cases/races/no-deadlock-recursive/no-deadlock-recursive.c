#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void again(void) {
    pthread_mutex_lock(&outer);
    x++;
    pthread_mutex_unlock(&outer);
}

static void *nested(void *arg) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    again();
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, nested, 0);
    pthread_create(&two, 0, nested, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return x != 2;
}
