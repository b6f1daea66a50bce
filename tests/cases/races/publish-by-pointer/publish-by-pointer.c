#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *publish(void *arg) {
    int *block = malloc(2 * sizeof *block);
    block[0] = 1;
    block[1] = 2;
    atomic_store_explicit(&published, block, memory_order_release);
    return arg;
}

static void *look(void *arg) {
    int *block = atomic_load_explicit(&published, memory_order_acquire);
    return block && block[1] == 2 ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, publish, 0);
    pthread_create(&two, 0, look, 0);
    int *block = atomic_load_explicit(&published, memory_order_consume);
    int seen = block ? block[0] : 1;
    pthread_join(one, 0);
    pthread_join(two, 0);
    free(atomic_load(&published));
    return seen != 1;
}
