#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void on_child(int signal) {
    (void)signal;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ended++;
}

int main(void) {
    sigset_t set, before;
    signal(SIGCHLD, on_child);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &before);
    if (fork() == 0)
        _exit(0);
    while (!ended)
        sigsuspend(&before);
    assert(ended == 1);
    return 0;
}
