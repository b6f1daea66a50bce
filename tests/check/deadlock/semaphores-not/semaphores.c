#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *work(void *arg) {
    sem_wait(&b);
    if (sem_trywait(&a) == 0)
        sem_post(&a);
    sem_post(&b);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&thread, 0, work, 0);
    sem_wait(&a);
    sem_wait(&b);
    sem_post(&b);
    sem_post(&a);
    pthread_join(thread, 0);
    return 0;
}
