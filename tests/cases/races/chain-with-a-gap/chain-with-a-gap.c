#include <pthread.h>
#include <stdatomic.h>

static int cargo, crew;
static atomic_int first_leg, second_leg;

static void *load_it(void *arg) {
    cargo = 6;
    atomic_store_explicit(&first_leg, 1, memory_order_release);
    return arg;
}

static void *carry(void *arg) {
    while (!atomic_load_explicit(&first_leg, memory_order_relaxed))
        ;
    crew = 2;
    atomic_store_explicit(&second_leg, 1, memory_order_release);
    return arg;
}

static void *unload(void *arg) {
    while (!atomic_load_explicit(&second_leg, memory_order_acquire))
        ;
    crew--;
    return cargo ? arg : 0;
}

int main(void) {
    void *(*bodies[])(void *) = {load_it, carry, unload};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, bodies[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return crew != 1;
}
