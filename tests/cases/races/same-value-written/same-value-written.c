#include <pthread.h>

static unsigned char found = 1;

static void *search(void *arg) {
    if (arg)
        found = 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, search, &one);
    pthread_create(&two, 0, search, &two);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return found != 1;
}
