#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int map;

static void *attempt(void *arg) {
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        map++;
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, attempt, 0);
    pthread_create(&two, 0, attempt, 0);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    int seen = 0;
    if (pthread_rwlock_timedrdlock(&lock, &until) == 0) {
        seen = map;
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(one, 0);
    pthread_join(two, 0);
    return seen > 2;
}
