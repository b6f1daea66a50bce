#include <pthread.h>
#include <semaphore.h>

static sem_t units;
static int inside;

static void *enter(void *arg) {
    sem_wait(&units);
    inside++;
    sem_post(&units);
    return arg;
}

int main(void) {
    sem_init(&units, 0, 2);
    pthread_t one, two;
    pthread_create(&one, 0, enter, 0);
    pthread_create(&two, 0, enter, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
