#include <pthread.h>
#include <semaphore.h>

static int stage;
static sem_t end;

static void *last(void *arg) {
    stage++;
    sem_post(&end);
    return arg;
}

static void *middle(void *arg) {
    pthread_t next;
    stage++;
    pthread_create(&next, 0, last, 0);
    pthread_detach(next);
    return arg;
}

int main(void) {
    sem_init(&end, 0, 0);
    pthread_t one;
    stage = 1;
    pthread_create(&one, 0, middle, 0);
    pthread_detach(one);
    sem_wait(&end);
    return stage != 3;
}
