#include <pthread.h>
#include <semaphore.h>

static sem_t places, items;
static int slot;

static void *produce(void *arg) {
    for (int i = 1; i <= 2; i++) {
        sem_wait(&places);
        slot = i;
        sem_post(&items);
    }
    return arg;
}

static void *consume(void *arg) {
    sem_wait(&items);
    sem_post(&places);
    return slot ? arg : 0;
}

int main(void) {
    sem_init(&places, 0, 1);
    sem_init(&items, 0, 0);
    pthread_t one, two;
    pthread_create(&one, 0, produce, 0);
    pthread_create(&two, 0, consume, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
