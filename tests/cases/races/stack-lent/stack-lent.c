#include <pthread.h>

static void *fill(void *arg) {
    int *slots = arg;
    slots[1] = 4;
    return arg;
}

static int collect(void) {
    int slots[2] = {0, 0};
    pthread_t thread;
    pthread_create(&thread, 0, fill, slots);
    slots[0] = 1;
    int sum = slots[0] + slots[1];
    pthread_join(thread, 0);
    return sum;
}

int main(void) {
    return collect() > 5;
}
