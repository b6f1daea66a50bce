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

int main(void) {
    int ends[2];
    char byte;
    struct timeval limit = {5, 0};
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    assert(recv(ends[0], &byte, 1, 0) == -1 && (errno == EAGAIN || errno == EWOULDBLOCK));
    assert(write(ends[1], "x", 1) == 1);
    assert(read(ends[0], &byte, 1) == 1);
    return 0;
}
