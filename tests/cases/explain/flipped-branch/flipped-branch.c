// Whoever comes to the branch too late takes the wrong way: on the same paths every order fails.
#include <assert.h>
#include <pthread.h>
static int x = 1, y;

static void *one(void *arg) {
    y = 1;
    if (y == 0)
        x = 0;
    return arg;
}

static void *two(void *arg) {
    y = 0;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 1);
    return 0;
}
