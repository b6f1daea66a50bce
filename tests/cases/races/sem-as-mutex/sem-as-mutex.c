#include <pthread.h>
#include <semaphore.h>

static sem_t unit, done;
static int value;

static void *take(void *arg) {
    sem_wait(&unit);
    value++;
    sem_post(&done);
    return arg;
}

int main(void) {
    sem_init(&unit, 0, 1);
    sem_init(&done, 0, 0);
    pthread_t one, two;
    pthread_create(&one, 0, take, 0);
    pthread_create(&two, 0, take, 0);
    for (int i = 0; i < 2; i++) {
        sem_wait(&done);
        value *= 2;
        sem_post(&unit);
    }
    pthread_join(one, 0);
    pthread_join(two, 0);
    return value < 2;
}
