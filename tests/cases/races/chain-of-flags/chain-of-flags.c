#include <pthread.h>
#include <stdatomic.h>

static int cargo;
static atomic_int first_leg, second_leg;

static void *load_it(void *arg) {
    cargo = 6;
    atomic_store_explicit(&first_leg, 1, memory_order_release);
    return arg;
}

static void *carry(void *arg) {
    while (!atomic_load_explicit(&first_leg, memory_order_acquire))
        ;
    atomic_store_explicit(&second_leg, 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, load_it, 0);
    pthread_create(&two, 0, carry, 0);
    while (!atomic_load_explicit(&second_leg, memory_order_acquire))
        ;
    int seen = cargo;
    cargo = 0;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return seen != 6;
}
