#include <pthread.h>

static int table[4];

static void *sum(void *arg) {
    int total = 0;
    for (int i = 0; i < 4; i++)
        total += table[i];
    *(int *)arg = total;
    return 0;
}

int main(void) {
    pthread_t a, b;
    int one, two;
    for (int i = 0; i < 4; i++)
        table[i] = i;
    pthread_create(&a, 0, sum, &one);
    pthread_create(&b, 0, sum, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    table[0] = one + two;
    return 0;
}
