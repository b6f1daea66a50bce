#include <pthread.h>

static pthread_t elder;
static int estate;

static void *elder_body(void *arg) {
    estate = 10;
    return arg;
}

static void *younger(void *arg) {
    pthread_join(elder, 0);
    estate /= 2;
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&elder, 0, elder_body, 0);
    pthread_create(&one, 0, younger, 0);
    pthread_join(one, 0);
    return estate != 5;
}
