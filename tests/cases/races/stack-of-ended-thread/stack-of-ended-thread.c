#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ended;

static void *use_stack(void *arg) {
    volatile int local[16];
    for (int i = 0; i < 16; i++)
        local[i] = i;
    atomic_fetch_add_explicit(&ended, local[1], memory_order_relaxed);
    return arg;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, use_stack, 0);
        pthread_detach(thread);
        while (atomic_load_explicit(&ended, memory_order_relaxed) <= i)
            sched_yield();
    }
    return 0;
}
