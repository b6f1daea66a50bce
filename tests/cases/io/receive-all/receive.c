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

static void *sender(void *arg) {
    write(ends[1], "abc", 3);
    write(ends[1], "def", 3);
    return arg;
}

int main(void) {
    pthread_t thread;
    char bytes[6];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&thread, NULL, sender, NULL);
    assert(recv(ends[0], bytes, 6, MSG_WAITALL) == 6 && memcmp(bytes, "abcdef", 6) == 0);
    pthread_join(thread, NULL);
    return 0;
}
