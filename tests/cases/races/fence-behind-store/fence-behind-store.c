#include <pthread.h>
#include <stdatomic.h>

static int payload;
static atomic_int flag;

static void *send(void *arg) {
    payload = 7;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    return arg;
}

static void *receive(void *arg) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        payload = 0;
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, send, 0);
    pthread_create(&two, 0, receive, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
