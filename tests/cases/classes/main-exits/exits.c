#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *thread(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_detach(t);
    assert(x == 0);
    pthread_exit(NULL);
}
