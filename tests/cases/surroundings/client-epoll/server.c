#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* One thread watches all descriptors, another one waits for the signal to stop. */
static int total, listener, stop[2];

static void *wait_for_stop(void *arg) {
    int got;
    sigwait(arg, &got);
    write(stop[1], "x", 1);
    return arg;
}

static void watch(int list, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    assert(epoll_ctl(list, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pipe(stop);
    pthread_create(&thread, NULL, wait_for_stop, &set);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(listener, 5) == 0);
    int list = epoll_create1(0), running = 1;
    watch(list, listener);
    watch(list, stop[0]);
    while (running) {
        struct epoll_event events[4];
        int n = epoll_wait(list, events, 4, -1);
        assert(n > 0);
        for (int i = 0; i < n; i++) {
            int descriptor = events[i].data.fd;
            char line[64];
            if (descriptor == stop[0]) {
                running = 0;
            } else if (descriptor == listener) {
                int peer = accept(listener, NULL, NULL);
                if (peer >= 0)
                    watch(list, peer);
            } else if (read(descriptor, line, sizeof line) > 0) {
                int length = sprintf(line, "%d\n", ++total);
                assert(write(descriptor, line, length) == length);
            } else {
                close(descriptor);
            }
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
