#include <pthread.h>
#include <stdatomic.h>

static char payload[4];
static atomic_bool flag;

static void *send(void *arg) {
    payload[2] = 'x';
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *receive(void *arg) {
    atomic_thread_fence(memory_order_acquire);
    int seen = atomic_load_explicit(&flag, memory_order_relaxed);
    if (seen)
        return payload[2] ? arg : 0;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, send, 0);
    pthread_create(&two, 0, receive, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
