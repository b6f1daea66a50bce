#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    while (1) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_detach(thread);
        assert(x <= 1);
    }
}
