#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int turns;

static void *second(void *arg) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&ping);
        assert(turns++ % 2 == 1);
        sem_post(&pong);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&thread, 0, second, 0);
    for (int i = 0; i < 2; i++) {
        turns++;
        sem_post(&ping);
        sem_wait(&pong);
    }
    pthread_join(thread, 0);
    assert(turns == 4);
    return 0;
}
