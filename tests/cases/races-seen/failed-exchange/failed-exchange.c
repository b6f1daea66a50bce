#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int state;

static void *producer(void *arg)
{
    data = 1;
    atomic_store_explicit(&state, 2, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int expected = 2;
    pthread_create(&thread, 0, producer, 0);
    do {
        expected = 7; /* never there: each attempt fails, and is a load */
        atomic_compare_exchange_strong_explicit(&state, &expected, 0, memory_order_acq_rel,
                                                memory_order_relaxed);
    } while (expected != 2);
    int found = data;
    pthread_join(thread, 0);
    return found != 1;
}
