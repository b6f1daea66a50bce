#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *last(void *arg) {
    x = 2;
    return arg;
}

static void *first(void *arg) {
    pthread_t t;
    pthread_create(&t, NULL, last, NULL);
    x = 1;
    pthread_join(t, NULL);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    int seen = x;
    (void)seen;
    pthread_join(t, NULL);
    return 0;
}
