#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile int ready;

static void on_signal(int signal) { (void)signal; }

static void *sender(void *arg) {
    if (ready)
        kill(getpid(), SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    ready = 1;
    signal(SIGUSR1, on_signal);
    pthread_join(thread, NULL);
    return 0;
}
