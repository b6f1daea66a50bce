#include <pthread.h>
#include <string.h>

static char block[20];

static void *first_half(void *arg) {
    memcpy(block, "12345678", 8);
    return arg;
}

static void *second_half(void *arg) {
    memcpy(block + 8, "abcdefgh", 8);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first_half, 0);
    pthread_create(&two, 0, second_half, 0);
    memmove(block + 17, block + 16, 3);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return block[7] != '8';
}
