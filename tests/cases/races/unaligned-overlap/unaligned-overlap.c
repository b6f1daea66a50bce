#include <pthread.h>
#include <stdint.h>
#include <string.h>

static unsigned char frame[16];
struct __attribute__((packed)) word { uint32_t value; };

static void *low(void *arg) {
    ((struct word *)(frame + 1))->value = 1;
    return arg;
}

static void *high(void *arg) {
    ((struct word *)(frame + 4))->value = 2;
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
