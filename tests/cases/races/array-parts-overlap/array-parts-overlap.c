#include <pthread.h>

static int data[6];

static void *low(void *arg) {
    for (int i = 0; i <= 3; i++)
        data[i] = 1;
    return arg;
}

static void *high(void *arg) {
    for (int i = 5; i >= 3; i--)
        data[i] = 2;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, low, 0);
    pthread_create(&two, 0, high, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
