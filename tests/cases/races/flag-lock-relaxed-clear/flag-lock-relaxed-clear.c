#include <pthread.h>
#include <stdatomic.h>

static atomic_flag locked = ATOMIC_FLAG_INIT;
static int inside;

static void *enter(void *arg) {
    while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire))
        ;
    inside += 2;
    atomic_flag_clear_explicit(&locked, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, enter, 0);
    enter(0);
    pthread_join(one, 0);
    return 0;
}
