#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int stage;

static void last(void) { assert(stage != 1); }

static void *work(void *arg) {
    exit(0);
    return arg;
}

int main(void) {
    pthread_t thread;
    atexit(last);
    pthread_create(&thread, 0, work, 0);
    stage = 1;
    stage = 2;
    pthread_join(thread, 0);
    return 0;
}
