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
    char byte;
    lseek(file, arg ? 1 : 0, SEEK_SET);
    assert(read(file, &byte, 1) == 1 && byte == (arg ? 'b' : 'a'));
    return arg;
}

int main(void) {
    pthread_t thread;
    file = open("letters", O_RDONLY);
    assert(file >= 0);
    pthread_create(&thread, NULL, worker, &file);
    worker(NULL);
    pthread_join(thread, NULL);
    return 0;
}
