#include <assert.h>
#include <pthread.h>

static int x, y, saw_x, saw_y;

static void *left(void *arg) {
    x = 1;
    saw_y = y;
    return arg;
}

static void *right(void *arg) {
    y = 1;
    saw_x = x;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(saw_x || saw_y);
    return 0;
}
