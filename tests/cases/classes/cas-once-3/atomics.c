#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *arg) {
    __extension__({ int zero = 0; atomic_compare_exchange_strong(&x, &zero, 1); });
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
