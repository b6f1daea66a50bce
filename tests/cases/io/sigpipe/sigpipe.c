#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg) {
    close(ends[0]);
    return arg;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, reader, NULL);
    write(ends[1], "x", 1);
    pthread_join(thread, NULL);
    return 0;
}
