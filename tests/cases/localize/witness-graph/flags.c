#include <assert.h>
#include <pthread.h>

int x, y;

static void *left(void *arg) {
    x = 1;
    assert(y == 0);
    return arg;
}

static void *right(void *arg) {
    y = 1;
    assert(x == 0);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
