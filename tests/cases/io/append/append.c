#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file;

static void *worker(void *arg) {
    assert(write(file, "line\n", 5) == 5);
    return arg;
}

int main(void) {
    char bytes[16];
    pthread_t thread;
    file = open("log", O_RDWR | O_CREAT | O_APPEND, 0600);
    assert(file >= 0);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(pread(file, bytes, sizeof bytes, 0) == 10);
    return 0;
}
