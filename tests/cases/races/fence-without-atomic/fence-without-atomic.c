#include <pthread.h>
#include <stdatomic.h>

static int data, flag;

static void *send(void *arg) {
    data = 1;
    atomic_thread_fence(memory_order_seq_cst);
    flag = 1;
    return arg;
}

static void *receive(void *arg) {
    int go = flag;
    atomic_thread_fence(memory_order_seq_cst);
    if (go)
        return data ? arg : 0;
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
