#include <pthread.h>
#include <semaphore.h>

static sem_t units;
static int pages[2];

static void *writer(void *arg) {
    *(int *)arg = 1;
    sem_post(&units);
    return arg;
}

int main(void) {
    sem_init(&units, 0, 0);
    pthread_t one, two;
    pthread_create(&one, 0, writer, &pages[0]);
    pthread_create(&two, 0, writer, &pages[1]);
    sem_wait(&units);
    sem_wait(&units);
    int sum = pages[0] + pages[1];
    pthread_join(one, 0);
    pthread_join(two, 0);
    return sum != 2;
}
