#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;
static int value;

static void acquire(void) {
    while (atomic_exchange(&held, 1))
        ;
}

static void *work(void *arg) {
    acquire();
    int old = value;
    value = old + 1;
    atomic_store(&held, 0);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(value == 2);
    return 0;
}
