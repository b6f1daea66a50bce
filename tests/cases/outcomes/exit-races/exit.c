#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int file_written;

static void *worker(void *arg) {
    file_written = 1;
    return arg;
}

static void at_end(void) {
    if (!file_written)
        _exit(4);
}

int main(void) {
    pthread_t thread;
    atexit(at_end);
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
