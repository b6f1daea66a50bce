#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int sent;

static void *send(void *arg) {
    message = 1;
    atomic_store_explicit(&sent, 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, send, 0);
    int seen = 1;
    if (atomic_load_explicit(&sent, memory_order_acquire))
        seen = message;
    pthread_join(one, 0);
    return seen != 1;
}
