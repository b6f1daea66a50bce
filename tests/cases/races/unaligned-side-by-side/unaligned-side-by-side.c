#include <pthread.h>
#include <stdint.h>

static unsigned char frame[24];
struct __attribute__((packed)) word { uint64_t value; };

static void *low(void *arg) {
    ((struct word *)(frame + 3))->value = 1;
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, low, 0);
    ((struct word *)(frame + 11))->value = 2;
    frame[2] = 7;
    pthread_join(one, 0);
    return frame[3] != 1;
}
