#include <pthread.h>
#include <stdatomic.h>

static int settings;
static atomic_int owner;

static void *configure(void *arg) {
    settings = 1;
    atomic_store_explicit(&owner, 1, memory_order_release);
    return arg;
}

static void *use(void *arg) {
    int free_now = 0;
    if (!atomic_compare_exchange_strong_explicit(&owner, &free_now, 2, memory_order_acquire, memory_order_relaxed))
        return settings ? arg : 0;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, configure, 0);
    pthread_create(&two, 0, use, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
