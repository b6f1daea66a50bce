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
    int first = open("a", O_WRONLY), second = open("b", O_WRONLY);
    assert(write(first, "1", 1) == 1 && write(second, "2", 1) == 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte;
    mkfifo("a", 0600);
    mkfifo("b", 0600);
    pthread_create(&thread, NULL, writer, NULL);
    int first = open("a", O_RDONLY), second = open("b", O_RDONLY);
    assert(read(first, &byte, 1) == 1 && byte == '1');
    assert(read(second, &byte, 1) == 1 && byte == '2');
    pthread_join(thread, NULL);
    assert(first != second);
    return 0;
}
