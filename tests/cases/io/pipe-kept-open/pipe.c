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

static void *writer(void *arg) {
    write(ends[1], "abc", 3);
    close(ends[1]);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte;
    pipe(ends);
    int kept = dup(ends[1]);
    pthread_create(&thread, NULL, writer, NULL);
    while (read(ends[0], &byte, 1) > 0)
        ;
    pthread_join(thread, NULL);
    return kept < 0;
}
