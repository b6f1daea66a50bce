#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sched.h>
#include <stdatomic.h>

static void *thread(void *arg) {
    sched_yield();
    atomic_thread_fence(memory_order_seq_cst);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
