#include <pthread.h>
#include <stdatomic.h>

static int slots[2];
static atomic_uint head, tail;

static void *produce(void *arg) {
    for (int i = 1; i <= 3; i++) {
        unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
        while (at - atomic_load_explicit(&head, memory_order_acquire) == 2)
            ;
        slots[at % 2] = i;
        atomic_store_explicit(&tail, at + 1, memory_order_release);
    }
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, produce, 0);
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
        while (atomic_load_explicit(&tail, memory_order_acquire) == at)
            ;
        sum += slots[at % 2];
        atomic_store_explicit(&head, at + 1, memory_order_release);
    }
    pthread_join(one, 0);
    return sum != 6;
}
