#include <pthread.h>

static struct { unsigned char mode : 3; unsigned char : 0; unsigned char level : 5; char plain; } flags;

static void *set_mode(void *arg) {
    flags.mode = 2;
    return arg;
}

static void *set_level(void *arg) {
    flags.level = 9;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, set_mode, 0);
    pthread_create(&two, 0, set_level, 0);
    flags.plain = 1;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return flags.mode != 2 || flags.level != 9;
}
