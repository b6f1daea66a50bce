#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile int counter;

static void on_signal(int signal) {
    (void)signal;
    counter++;
}

static void *sender(void *arg) {
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t self = pthread_self(), thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, sender, &self);
    counter++;
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
