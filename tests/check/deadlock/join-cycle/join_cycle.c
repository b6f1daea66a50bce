#include <pthread.h>
#include <semaphore.h>

static pthread_t first, second;
static sem_t known;

static void *one(void *arg) {
    sem_wait(&known);
    pthread_join(second, 0);
    return arg;
}

static void *two(void *arg) {
    sem_wait(&known);
    pthread_join(first, 0);
    return arg;
}

int main(void) {
    sem_init(&known, 0, 0);
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    sem_post(&known);
    sem_post(&known);
    pthread_exit(0);
}
