#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static void on_signal(int signal) { (void)signal; }

static sem_t ready;

static void *sender(void *arg) {
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    sem_post(&ready);
    return arg;
}

int main(void) {
    pthread_t self = pthread_self(), thread;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, sender, &self);
    assert(sem_wait(&ready) == 0);
    pthread_join(thread, NULL);
    return 0;
}
