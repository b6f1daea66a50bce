#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t places;
static atomic_int inside;

static void *work(void *arg) {
    sem_wait(&places);
    int now = ++inside;
    assert(now <= 2);
    --inside;
    sem_post(&places);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&places, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
