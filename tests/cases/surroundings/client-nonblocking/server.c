#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Two threads wait for the same listener; whoever is faster serves the connection. */
static volatile sig_atomic_t stopped;
static int total, listener;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void stop(int signal) { stopped = signal; }

static void answer(int peer) {
    struct pollfd wish = {.fd = peer, .events = POLLIN};
    char line[64];
    while (poll(&wish, 1, -1) == 1 && recv(peer, line, sizeof line, MSG_DONTWAIT) > 0) {
        pthread_mutex_lock(&lock);
        int length = snprintf(line, sizeof line, "%d\n", ++total);
        pthread_mutex_unlock(&lock);
        assert(write(peer, line, length) == length);
    }
    close(peer);
}

static void *serve(void *arg) {
    while (!stopped) {
        struct pollfd wish = {.fd = listener, .events = POLLIN};
        if (poll(&wish, 1, 1000) != 1)
            continue;
        int peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (peer >= 0)
            answer(peer);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    signal(SIGTERM, stop);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(listener, 5) == 0);
    pthread_create(&thread, NULL, serve, NULL);
    serve(NULL);
    pthread_join(thread, NULL);
    return total;
}
