#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

static int result;

static void *compute(void *arg) {
    result = 1;
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, compute, 0);
    while (pthread_tryjoin_np(one, 0) != 0)
        sched_yield();
    result++;
    return result != 2;
}
