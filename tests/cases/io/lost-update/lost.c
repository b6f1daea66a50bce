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
    int number;
    assert(pread(file, &number, sizeof number, 0) == sizeof number);
    number++;
    assert(pwrite(file, &number, sizeof number, 0) == sizeof number);
    return arg;
}

int main(void) {
    pthread_t thread;
    int number = 0;
    file = open("number", O_RDWR | O_CREAT, 0600);
    assert(write(file, &number, sizeof number) == sizeof number);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    pread(file, &number, sizeof number, 0);
    assert(number == 2);
    return 0;
}
