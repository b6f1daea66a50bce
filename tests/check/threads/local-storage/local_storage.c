#include <assert.h>
#include <pthread.h>

static int depth;

static void *work(void *arg) {
    depth++;
    assert(depth == 1);
    depth--;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
