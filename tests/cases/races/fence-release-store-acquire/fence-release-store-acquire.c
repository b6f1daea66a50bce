#include <pthread.h>
#include <stdatomic.h>

static int question, answer;
static atomic_int asked, answered;

static void *oracle(void *arg) {
    while (!atomic_load_explicit(&asked, memory_order_acquire))
        ;
    answer = question + 1;
    atomic_store_explicit(&answered, 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, oracle, 0);
    question = 41;
    atomic_thread_fence(memory_order_acq_rel);
    atomic_store_explicit(&asked, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&answered, memory_order_relaxed))
        ;
    atomic_thread_fence(memory_order_seq_cst);
    int seen = answer;
    question = 0;
    pthread_join(one, 0);
    return seen != 42;
}
