#include <pthread.h>
#include <stdatomic.h>

static atomic_llong sum;
static atomic_uchar bits;

static void *work(void *arg) {
    atomic_fetch_add_explicit(&sum, 3, memory_order_relaxed);
    atomic_fetch_or_explicit(&bits, 4, memory_order_relaxed);
    atomic_store_explicit(&sum, atomic_load_explicit(&bits, memory_order_relaxed), memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    atomic_fetch_xor_explicit(&bits, 1, memory_order_relaxed);
    long long seen = atomic_exchange_explicit(&sum, 0, memory_order_relaxed);
    pthread_join(one, 0);
    return seen > 5;
}
