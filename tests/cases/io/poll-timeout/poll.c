#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
    write(ends[1], "x", 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, writer, NULL);
    struct pollfd wait = {ends[0], POLLIN, 0};
    assert(poll(&wait, 1, 1000) == 1);
    pthread_join(thread, NULL);
    return 0;
}
