#include <assert.h>
#include <pthread.h>
static int x;

static void *one(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, one, NULL);
    pthread_join(a, NULL);
    assert(x == 2);
    return 0;
}
