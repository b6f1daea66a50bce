#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void *player(void *arg) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&ping);
        ball++;
        sem_post(&pong);
    }
    return arg;
}

int main(void) {
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_t one;
    pthread_create(&one, 0, player, 0);
    for (int i = 0; i < 2; i++) {
        ball++;
        sem_post(&ping);
        sem_wait(&pong);
    }
    pthread_join(one, 0);
    return ball != 4;
}
