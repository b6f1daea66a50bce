#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *thread(void *arg) {
    pthread_cond_signal(&c);
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
