#include <assert.h>
#include <errno.h>
#include <sys/select.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg) {
    fd_set set;
    char byte;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
    assert(read(ends[0], &byte, 1) == 1);
    assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    fd_set set;
    pipe(ends);
    pthread_create(&thread, NULL, reader, NULL);
    FD_ZERO(&set);
    FD_SET(ends[1], &set);
    assert(select(ends[1] + 1, NULL, &set, NULL, NULL) == 1 && FD_ISSET(ends[1], &set));
    assert(write(ends[1], "x", 1) == 1);
    pthread_join(thread, NULL);
    return 0;
}
