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
    assert(recv(ends[1], &byte, 1, 0) == 1);
    byte++;
    assert(send(ends[1], &byte, 1, 0) == 1);
    shutdown(ends[1], SHUT_WR);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte = 'a';
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&thread, NULL, server, NULL);
    assert(write(ends[0], &byte, 1) == 1);
    assert(read(ends[0], &byte, 1) == 1 && byte == 'b');
    assert(read(ends[0], &byte, 1) == 0);
    pthread_join(thread, NULL);
    return 0;
}
