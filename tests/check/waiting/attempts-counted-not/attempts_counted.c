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
    int attempts = 0;
    while (!atomic_load(&ready) && attempts < 3)
        attempts++;
    assert(attempts == 3 || atomic_load(&ready));
    pthread_join(thread, 0);
    return 0;
}
