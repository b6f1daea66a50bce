#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t flag;

static void on_signal(int signal) { flag = signal; }

static void *sender(void *arg) {
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t self = pthread_self(), thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, sender, &self);
    if (!flag)
        pause();
    pthread_join(thread, NULL);
    return 0;
}
