#include <pthread.h>

static int done;

static void *background(void *arg) {
    done = 1;
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, background, 0);
    pthread_detach(one);
    return done > 1;
}
