#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    return data != 42;
}
