#include <pthread.h>
#include <stdatomic.h>

static int blocks[3];
static _Atomic(int *) desk = &blocks[0];

static void *swap(void *arg) {
    int *mine = arg;
    for (int i = 0; i < 2; i++) {
        *mine += 1;
        mine = atomic_exchange_explicit(&desk, mine, memory_order_acq_rel);
    }
    *mine += 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, swap, &blocks[1]);
    pthread_create(&two, 0, swap, &blocks[2]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return blocks[0] + blocks[1] + blocks[2] != 6;
}
