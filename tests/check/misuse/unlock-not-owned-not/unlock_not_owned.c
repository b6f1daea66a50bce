#include <pthread.h>
#include <semaphore.h>

static sem_t lock;

static void *work(void *arg) {
    sem_post(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&lock, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    sem_wait(&lock);
    return 0;
}
