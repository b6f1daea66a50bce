#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t locks[N];

static void *thread(void *arg) {
    long i = (long)arg;
    pthread_mutex_lock(&locks[i]);
    pthread_mutex_unlock(&locks[i]);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
