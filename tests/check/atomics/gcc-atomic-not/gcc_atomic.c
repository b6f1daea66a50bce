#include <assert.h>
#include <pthread.h>

static int data, flag;

static void *publish(void *arg) {
    __atomic_store_n(&data, 42, __ATOMIC_RELAXED);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        assert(__atomic_load_n(&data, __ATOMIC_RELAXED) == 42);
    pthread_join(thread, 0);
    return 0;
}
