#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void on_signal(int signal) {
    char byte = signal;
    write(ends[1], &byte, 1);
}

static void *sender(void *arg) {
    kill(getpid(), SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte = 0;
    pipe(ends);
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, sender, NULL);
    struct pollfd wait = {ends[0], POLLIN, 0};
    int n;
    while ((n = poll(&wait, 1, -1)) < 0)
        assert(errno == EINTR);
    assert(n == 1 && read(ends[0], &byte, 1) == 1 && byte == SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
