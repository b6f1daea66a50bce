#define _GNU_SOURCE
#include <pthread.h>

static int result;

static void *compute(void *arg) {
    result = 1;
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, compute, 0);
    int ended = pthread_tryjoin_np(one, 0) == 0;
    int seen = result;
    if (!ended)
        pthread_join(one, 0);
    return seen > 1;
}
