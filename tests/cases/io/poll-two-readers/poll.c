#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg) {
    char byte;
    struct pollfd wait = {ends[0], POLLIN, 0};
    if (poll(&wait, 1, 1000) == 1)
        read(ends[0], &byte, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, reader, NULL);
    write(ends[1], "x", 1);
    reader(NULL);
    pthread_join(thread, NULL);
    return 0;
}
