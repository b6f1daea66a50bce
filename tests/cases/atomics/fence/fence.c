/* Message passing with relaxed atomics and fences; a fence is a step.
 * Who sees the flag sees the data. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int flag;

static void *sender(void *arg) {
    (void)arg;
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 1);
    }
    pthread_join(t, NULL);
    return 0;
}
