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
    sigset_t set, before;
    int ends[2];
    pipe(ends);
    signal(SIGUSR1, on_signal);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    pthread_create(&thread, NULL, sender, &self);
    while (!flag)
        sigsuspend(&before);
    assert(flag == SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
