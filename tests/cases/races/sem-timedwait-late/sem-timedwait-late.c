#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t sent;
static int message;

static void *send(void *arg) {
    message = 4;
    sem_post(&sent);
    return arg;
}

int main(void) {
    sem_init(&sent, 0, 0);
    pthread_t one;
    pthread_create(&one, 0, send, 0);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    sem_timedwait(&sent, &until);
    int seen = message;
    pthread_join(one, 0);
    return seen > 4;
}
