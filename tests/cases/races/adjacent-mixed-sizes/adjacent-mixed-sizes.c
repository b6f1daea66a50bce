#include <pthread.h>
#include <stdint.h>

static struct { int8_t a; int16_t b; int32_t c; int64_t d; } packed;

static void *write_a(void *arg) {
    packed.a = 1;
    return arg;
}

static void *write_b(void *arg) {
    packed.b += 2;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, write_a, 0);
    pthread_create(&two, 0, write_b, 0);
    packed.c = 3;
    packed.d = packed.c;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return packed.a + packed.b != 3;
}
