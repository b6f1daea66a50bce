#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <semaphore.h>

static sem_t s;

static void *thread(void *arg) {
    if (arg == NULL)
        sem_post(&s);
    else
        sem_wait(&s);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    sem_init(&s, 0, 0);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
