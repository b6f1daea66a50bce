#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int first, second;

static void *left(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    first = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    second = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, 0);
    assert(first + second >= 1);
    return 0;
}
