/* Two threads add to a sum: what it is where a function begins and ends depends on the other one. */
#include <pthread.h>
#include <stddef.h>

static int sum;

static void *add(void *arg) {
    sum = sum + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
