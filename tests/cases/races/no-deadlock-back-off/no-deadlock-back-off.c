#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *waits(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x = 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *tries(void *arg) {
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0) {
        x = 2;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, waits, 0);
    pthread_create(&two, 0, tries, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
