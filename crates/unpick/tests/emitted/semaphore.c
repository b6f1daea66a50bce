#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t places;
static int inside, most;

static void *visit(void *arg) {
    sem_wait(&places);
    inside++;
    if (inside > most)
        most = inside;
    assert(inside <= 1);
    inside--;
    sem_post(&places);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&places, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, visit, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
