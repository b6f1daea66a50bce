#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int progress;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    progress = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *watch(void *arg) {
    struct timespec until = {0, 0};
    if (pthread_mutex_timedlock(&lock, &until) == 0) {
        progress = 0;
        pthread_mutex_unlock(&lock);
        return arg;
    }
    return progress ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, watch, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
