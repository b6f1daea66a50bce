// Figure 2 of paper 000: only on other paths is there a run that passes.
#include <assert.h>
#include <pthread.h>
static int x, y, z, w;

static void *one(void *arg) {
    if (z > 0)
        w = w + 1;
    x = 1;
    y = 1;
    if (y == 0)
        x = x - 1;
    assert(x > 0);
    return arg;
}

static void *two(void *arg) {
    z = 1;
    x = x + 1;
    y = y + 1;
    return arg;
}

static void *three(void *arg) {
    if (w > 0)
        y = 0;
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_create(&c, NULL, three, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
