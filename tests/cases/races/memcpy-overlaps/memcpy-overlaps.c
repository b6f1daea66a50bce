#include <pthread.h>
#include <string.h>

static int source[8], target[8];

static void *copy(void *arg) {
    memcpy(target, source, sizeof source);
    return arg;
}

static void *change(void *arg) {
    source[7] = 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, copy, 0);
    pthread_create(&two, 0, change, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
