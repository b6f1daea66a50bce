#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int data;

static void *writer(void *arg) {
    int file = open("a", O_WRONLY);
    data = 1;
    assert(write(file, "x", 1) == 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte;
    mkfifo("a", 0600);
    pthread_create(&thread, NULL, writer, NULL);
    int file = open("a", O_RDONLY);
    assert(read(file, &byte, 1) == 1);
    assert(data > 0);
    pthread_join(thread, NULL);
    return 0;
}
