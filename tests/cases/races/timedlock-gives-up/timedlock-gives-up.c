#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void *raise_it(void *arg) {
    pthread_mutex_lock(&lock);
    level = 5;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, raise_it, 0);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec = 0;
    until.tv_sec += 1;
    int seen = 0;
    if (pthread_mutex_timedlock(&lock, &until) == 0) {
        seen = level;
        level = seen + 1;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(one, 0);
    return seen > 5;
}
