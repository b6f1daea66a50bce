#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int turns;

static void *play(void *arg) {
    pthread_mutex_lock(&lock);
    if (pthread_mutex_lock(&lock) == EDEADLK)
        turns++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, play, 0);
    pthread_create(&two, 0, play, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return turns != 2;
}
