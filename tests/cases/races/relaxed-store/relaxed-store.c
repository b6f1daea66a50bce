#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int sent;

static void *send(void *arg) {
    message = 1;
    atomic_store_explicit(&sent, 1, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    while (!atomic_load_explicit(&sent, memory_order_acquire))
        ;
    return message ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, send, 0);
    pthread_create(&two, 0, receive, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
