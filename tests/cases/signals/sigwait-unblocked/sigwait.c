#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *worker(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    sigwait(&set, &got);
    pthread_join(thread, NULL);
    return 0;
}
