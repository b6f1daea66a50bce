#include <pthread.h>

static struct { unsigned mode : 3, level : 5; } flags;

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
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
