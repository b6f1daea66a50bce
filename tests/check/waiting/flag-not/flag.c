#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool done;
static int result;

static void *work(void *arg) {
    result = 6 * 7;
    atomic_store(&done, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    while (!atomic_load(&done))
        ;
    assert(result == 42);
    pthread_join(thread, 0);
    return 0;
}
