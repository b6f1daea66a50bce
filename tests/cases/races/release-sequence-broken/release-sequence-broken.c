#include <pthread.h>
#include <stdatomic.h>

static int payload;
static atomic_int head;

static void *publish(void *arg) {
    payload = 3;
    atomic_store_explicit(&head, 10, memory_order_release);
    return arg;
}

static void *overwrite(void *arg) {
    if (atomic_load_explicit(&head, memory_order_relaxed) == 10)
        atomic_store_explicit(&head, 11, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    if (atomic_load_explicit(&head, memory_order_acquire) == 11)
        payload = 4;
    return arg;
}

int main(void) {
    void *(*bodies[])(void *) = {publish, overwrite, receive};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, bodies[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
