#include <pthread.h>

static int depth;

static void *grandchild(void *arg) {
    depth = 2;
    return arg;
}

static void *child(void *arg) {
    pthread_t inner;
    pthread_create(&inner, 0, grandchild, 0);
    pthread_join(inner, 0);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, child, 0);
    pthread_join(one, 0);
    return depth != 2;
}
