#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *work(void *arg) {
    atomic_fetch_add(&count, 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&count) == 2);
    return 0;
}
