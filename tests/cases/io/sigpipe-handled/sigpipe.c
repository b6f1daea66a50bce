#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static pthread_t writer;

static void on_pipe(int signal) { handled += signal == SIGPIPE && pthread_equal(pthread_self(), writer); }

static void *write_twice(void *arg) {
    int *ends = arg;
    writer = pthread_self();
    signal(SIGPIPE, on_pipe);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE && handled == 1);
    signal(SIGPIPE, SIG_IGN);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE && handled == 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    int ends[2];
    pipe(ends);
    close(ends[0]);
    pthread_create(&thread, NULL, write_twice, ends);
    pthread_join(thread, NULL);
    return 0;
}
