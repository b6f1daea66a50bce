#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
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
    struct epoll_event event = {.events = EPOLLIN};
    int watch = epoll_create1(0);
    assert(epoll_ctl(watch, EPOLL_CTL_ADD, ends[0], &event) == 0);
    assert(epoll_pwait(watch, &event, 1, -1, &before) == -1 && errno == EINTR);
    assert(flag == SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
