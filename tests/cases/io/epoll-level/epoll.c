#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
    write(ends[1], "ab", 2);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte;
    pipe(ends);
    int watch = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = 17};
    epoll_ctl(watch, EPOLL_CTL_ADD, ends[0], &event);
    pthread_create(&thread, NULL, writer, NULL);
    for (int i = 0; i < 2; i++) {
        assert(epoll_wait(watch, &event, 1, -1) == 1 && event.data.fd == 17);
        assert(read(ends[0], &byte, 1) == 1 && byte == 'a' + i);
    }
    pthread_join(thread, NULL);
    return 0;
}
