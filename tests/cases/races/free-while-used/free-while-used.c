#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *use(void *arg) {
    block[0] = 1;
    return arg;
}

static void *drop(void *arg) {
    free(block);
    return arg;
}

int main(void) {
    block = malloc(sizeof *block);
    pthread_t one, two;
    pthread_create(&one, 0, use, 0);
    pthread_create(&two, 0, drop, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
