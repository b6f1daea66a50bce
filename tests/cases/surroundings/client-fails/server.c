#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Adds one to a number for each line that a client sends, and says the number. */
static int total, listener;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t stopping;

static void on_stop(int signal) { stopping = signal; }

static void *serve(void *arg) {
    int peer = (int)(long)arg;
    char line[64], answer[64];
    long n;
    while ((n = read(peer, line, sizeof line)) > 0) {
        int now = ++total;
        int length = sprintf(answer, "%d\n", now);
        write(peer, answer, length);
    }
    close(peer);
    return NULL;
}

int main(void) {
    pthread_t threads[16];
    int n = 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    struct sigaction action = {.sa_handler = on_stop};
    sigaction(SIGTERM, &action, NULL);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, 5);
    while (!stopping && n < 16) {
        int peer = accept(listener, NULL, NULL);
        if (peer >= 0)
            pthread_create(&threads[n++], NULL, serve, (void *)(long)peer);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
