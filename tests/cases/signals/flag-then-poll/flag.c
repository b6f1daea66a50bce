#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_signal(int signal) { stop = signal; }

static void *sender(void *arg) {
    pthread_kill(*(pthread_t *)arg, SIGTERM);
    return arg;
}

int main(void) {
    pthread_t self = pthread_self(), thread;
    int ends[2];
    pipe(ends);
    signal(SIGTERM, on_signal);
    pthread_create(&thread, NULL, sender, &self);
    struct pollfd wait = {ends[0], POLLIN, 0};
    while (!stop)
        poll(&wait, 1, -1);
    pthread_join(thread, NULL);
    return 0;
}
