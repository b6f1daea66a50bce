#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void on_signal(int signal) { (void)signal; }

static int ends[2];

static void *sender(void *arg) {
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    write(ends[1], "x", 1);
    return arg;
}

int main(void) {
    pthread_t self = pthread_self(), thread;
    char byte;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    pipe(ends);
    pthread_create(&thread, NULL, sender, &self);
    assert(read(ends[0], &byte, 1) == 1);
    pthread_join(thread, NULL);
    return 0;
}
