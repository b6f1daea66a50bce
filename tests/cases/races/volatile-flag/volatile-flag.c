#include <pthread.h>

static volatile int stop;
static int rounds;

static void *spin(void *arg) {
    while (!stop)
        ;
    rounds++;
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, spin, 0);
    rounds = 3;
    stop = 1;
    pthread_join(one, 0);
    return 0;
}
