#include <pthread.h>

static union { int number; struct { int pad; short rest[2]; } high; } value;

static void *as_number(void *arg) {
    value.number = 5;
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, as_number, 0);
    value.high.rest[0] = 1;
    value.high.rest[1] = value.high.rest[0];
    pthread_join(one, 0);
    return value.number != 5;
}
