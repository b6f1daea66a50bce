#include <pthread.h>

static int results[2];

static void *compute(void *arg) {
    *(int *)arg = 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, compute, &results[0]);
    pthread_create(&two, 0, compute, &results[1]);
    pthread_join(one, 0);
    int sum = results[1];
    pthread_join(two, 0);
    return sum > 1;
}
