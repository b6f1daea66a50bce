#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int option;

static int *get(void) {
    pthread_mutex_lock(&lock);
    int *at = &option;
    pthread_mutex_unlock(&lock);
    return at;
}

static void *set(void *arg) {
    *get() = 9;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, set, 0);
    pthread_create(&two, 0, set, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
