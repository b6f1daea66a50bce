#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];

static void *server(void *arg) {
    char byte;
    recv(ends[1], &byte, 1, 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&thread, NULL, server, NULL);
    recv(ends[0], &byte, 1, 0);
    pthread_join(thread, NULL);
    return 0;
}
