#include <pthread.h>
#include <stdio.h>

static int divisor = 4, quotient;

static void *take_away(void *arg) {
    for (int i = 0; i < 4; i++)
        divisor--;
    divisor = 4;
    return arg;
}

static void *divide(void *arg) {
    quotient = 100 / divisor;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, take_away, NULL);
    pthread_create(&two, NULL, divide, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", quotient);
    return 0;
}
