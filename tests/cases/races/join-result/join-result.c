#include <pthread.h>

static int work[2];

static void *compute(void *arg) {
    work[1] = work[0] * 2;
    return arg;
}

int main(void) {
    pthread_t one;
    work[0] = 21;
    pthread_create(&one, 0, compute, 0);
    pthread_join(one, 0);
    work[0] = work[1];
    return work[0] != 42;
}
