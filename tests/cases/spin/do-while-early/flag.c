#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int flag;
static int data;

static void *run(void *arg) {
    (void)arg;
    do
        usleep(100);
    while (atomic_load_explicit(&flag, memory_order_acquire) == 0);
    assert(data == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    flag = 1;
    data = 1;
    pthread_join(thread, 0);
    return 0;
}
