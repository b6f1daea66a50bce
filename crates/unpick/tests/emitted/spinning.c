#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int payload, seen;

static void *consume(void *arg) {
    while (!atomic_load(&ready))
        ;
    seen = payload;
    return arg;
}

static void *produce(void *arg) {
    payload = 1;
    atomic_store(&ready, 1);
    payload = 2;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, consume, 0);
    pthread_create(&two, 0, produce, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(seen == 1);
    return 0;
}
