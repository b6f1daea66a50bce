// C11's atomics, in code without hooks.
#include <stdatomic.h>
_Atomic int counter;
_Atomic(int *) pointer;
atomic_flag flag = ATOMIC_FLAG_INIT;
int all(int *p) {
    counter++;
    atomic_fetch_or_explicit(&counter, 4, memory_order_acquire);
    atomic_store_explicit(&pointer, p, memory_order_release);
    int expected = 3;
    atomic_compare_exchange_weak_explicit(&counter, &expected, 7, memory_order_acq_rel, memory_order_relaxed);
    while (atomic_flag_test_and_set(&flag))
        ;
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_load(&counter);
}
