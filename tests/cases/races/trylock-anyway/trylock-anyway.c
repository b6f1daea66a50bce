#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cache;

static void *use(void *arg) {
    pthread_mutex_lock(&lock);
    cache = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *maintain(void *arg) {
    int mine = pthread_mutex_trylock(&lock) == 0;
    cache = 0;
    if (mine)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, use, 0);
    pthread_create(&two, 0, maintain, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
