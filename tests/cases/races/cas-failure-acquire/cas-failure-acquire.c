#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) cell;

static int *get(int value) {
    int *mine = malloc(sizeof *mine), *there = 0;
    *mine = value;
    if (atomic_compare_exchange_strong_explicit(&cell, &there, mine, memory_order_release, memory_order_acquire))
        return mine;
    free(mine);
    return there;
}

static void *one_gets(void *arg) {
    return *get(1) ? arg : 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, one_gets, 0);
    int seen = *get(2);
    pthread_join(one, 0);
    free(atomic_load(&cell));
    return seen != 1 && seen != 2;
}
