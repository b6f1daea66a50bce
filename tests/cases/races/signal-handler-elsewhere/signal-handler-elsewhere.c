#include <pthread.h>
#include <signal.h>
#include <semaphore.h>

static int last;
static sem_t handled;

static void handle(int number) {
    last = number;
    sem_post(&handled);
}

static void *work(void *arg) {
    while (sem_wait(&handled))
        ;
    return arg;
}

int main(void) {
    sem_init(&handled, 0, 0);
    signal(SIGUSR1, handle);
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    pthread_kill(one, SIGUSR1);
    last = 0;
    pthread_join(one, 0);
    return 0;
}
