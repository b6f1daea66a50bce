#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint bits;

static void *set(void *arg) {
    unsigned mask = *(unsigned *)arg;
    unsigned old = atomic_load(&bits);
    atomic_compare_exchange_strong(&bits, &old, old | mask);
    return 0;
}

int main(void) {
    pthread_t a, b;
    unsigned one = 1, four = 4;
    pthread_create(&a, 0, set, &one);
    pthread_create(&b, 0, set, &four);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&bits) == 5);
    return 0;
}
