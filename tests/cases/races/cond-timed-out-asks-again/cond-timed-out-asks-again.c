#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int finished, answer;

static void *compute(void *arg) {
    answer = 6;
    pthread_mutex_lock(&lock);
    finished = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&done);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, compute, 0);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&lock);
    int status = 0;
    while (!finished && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&done, &lock, &until);
    int may = finished;
    pthread_mutex_unlock(&lock);
    int seen = may ? answer : 0;
    pthread_join(one, 0);
    return seen > 6;
}
