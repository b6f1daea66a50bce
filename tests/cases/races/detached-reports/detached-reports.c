#include <pthread.h>
#include <semaphore.h>

static sem_t finished;
static int result;

static void *background(void *arg) {
    pthread_detach(pthread_self());
    result = 1;
    sem_post(&finished);
    return arg;
}

int main(void) {
    sem_init(&finished, 0, 0);
    pthread_t one;
    pthread_create(&one, 0, background, 0);
    sem_wait(&finished);
    return result != 1;
}
