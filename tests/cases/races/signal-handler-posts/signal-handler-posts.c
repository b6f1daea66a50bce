#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static int last;
static sem_t handled, stop;

static void handle(int number) {
    last = number;
    sem_post(&handled);
}

static void *work(void *arg) {
    while (sem_wait(&stop))
        ;
    return arg;
}

int main(void) {
    sem_init(&handled, 0, 0);
    sem_init(&stop, 0, 0);
    signal(SIGUSR2, handle);
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    pthread_kill(one, SIGUSR2);
    while (sem_wait(&handled))
        ;
    int seen = last;
    sem_post(&stop);
    pthread_join(one, 0);
    return seen != SIGUSR2;
}
