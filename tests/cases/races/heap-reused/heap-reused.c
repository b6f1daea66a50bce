#include <pthread.h>
#include <stdlib.h>

static void *churn(void *arg) {
    for (int i = 0; i < 3; i++) {
        volatile int *block = malloc(48);
        block[0] = i;
        block[11] = block[0];
        free((void *)block);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, churn, 0);
    pthread_create(&two, 0, churn, 0);
    churn(0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
