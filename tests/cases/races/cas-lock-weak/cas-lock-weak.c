#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int inside;

static void *enter(void *arg) {
    int free_now = 0;
    while (!atomic_compare_exchange_weak_explicit(&locked, &free_now, 1, memory_order_acquire, memory_order_relaxed))
        free_now = 0;
    inside++;
    atomic_store_explicit(&locked, 0, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, enter, 0);
    pthread_create(&two, 0, enter, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return inside != 2;
}
