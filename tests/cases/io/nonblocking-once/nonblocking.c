#include <assert.h>
#include <errno.h>
#include <fcntl.h>
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
    char byte = 0;
    pipe(ends);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pthread_create(&thread, NULL, writer, NULL);
    read(ends[0], &byte, 1);
    assert(byte == 'x');
    pthread_join(thread, NULL);
    return 0;
}
