#include <pthread.h>

static int width, height, area;

static void *compute(void *arg) {
    area = width;
    area *= height;
    return arg;
}

int main(void) {
    pthread_t one;
    width = 2;
    pthread_create(&one, 0, compute, 0);
    height = 3;
    pthread_join(one, 0);
    return area > 6;
}
