#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *waiter(void *arg) {
    int got = 0, sum = 0;
    while (got != SIGTERM) {
        sigwait(arg, &got);
        sum += got;
    }
    assert(sum == SIGTERM || sum == SIGTERM + SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, waiter, &set);
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGTERM);
    pthread_join(thread, NULL);
    return 0;
}
