#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int done;

static void *work(void *arg) {
    done = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (pthread_tryjoin_np(thread, 0) != 0)
        pthread_join(thread, 0);
    assert(done);
    return 0;
}
