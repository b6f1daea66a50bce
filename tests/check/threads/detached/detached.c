#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *arg) {
    atomic_store(&ready, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    assert(atomic_load(&ready) == 1);
    return 0;
}
