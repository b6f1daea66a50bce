#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static int claim(void) {
    pthread_mutex_lock(&state_lock);
    int mine = !taken;
    taken = 1;
    pthread_mutex_unlock(&state_lock);
    return mine;
}

static void *forward(void *arg) {
    if (claim()) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
    return arg;
}

static void *backward(void *arg) {
    if (claim()) {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, forward, 0);
    pthread_create(&two, 0, backward, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
