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
    int ends[2];
    assert(pipe(ends) == 0);
    assert(write(ends[1], "x", 1) == 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    file = open("/dev/null", O_RDWR);
    pthread_create(&thread, NULL, worker, NULL);
    close(file);
    close(file);
    pthread_join(thread, NULL);
    return 0;
}
