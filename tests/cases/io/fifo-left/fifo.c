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

static void *writer(void *arg) {
    int file = open("a", O_WRONLY);
    assert(file >= 0);
    close(file);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte;
    mkfifo("a", 0600);
    pthread_create(&thread, NULL, writer, NULL);
    int file = open("a", O_RDONLY);
    assert(read(file, &byte, 1) == 0);
    pthread_join(thread, NULL);
    return 0;
}
