#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg) {
    int held = pthread_mutex_trylock(&lock) == 0;
    count++;
    if (held)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    count = 10;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
