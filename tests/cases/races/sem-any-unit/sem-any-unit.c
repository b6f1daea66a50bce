#include <pthread.h>
#include <semaphore.h>

static sem_t units;
static int file;

static void *writer(void *arg) {
    file = 1;
    sem_post(&units);
    return arg;
}

static void *helper(void *arg) {
    sem_post(&units);
    return arg;
}

int main(void) {
    sem_init(&units, 0, 0);
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, helper, 0);
    sem_wait(&units);
    int seen = file;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return seen > 1;
}
