#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owned;

static void *take(void *arg) {
    if (pthread_mutex_trylock(&lock) == 0)
        owned = 1;
    return arg;
}

static void *give_back(void *arg) {
    if (owned)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, take, 0);
    pthread_create(&two, 0, give_back, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
