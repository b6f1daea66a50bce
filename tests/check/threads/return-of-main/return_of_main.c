#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *arg) {
    x = 1;
    assert(x == 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return 0;
}
