#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, serving;
static int till;

static void *customer(void *arg) {
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        ;
    till += 5;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, customer, 0);
    pthread_create(&two, 0, customer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return till != 10;
}
