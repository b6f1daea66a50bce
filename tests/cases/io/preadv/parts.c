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

static void *worker(void *arg) {
    struct iovec parts[2] = {{"ab", 2}, {"cd", 2}};
    int file = open("file", O_RDWR);
    assert(pwritev(file, parts, 2, 4) == 4);
    return arg;
}

int main(void) {
    pthread_t thread;
    char left[2], right[2];
    struct iovec parts[2] = {{left, 2}, {right, 2}};
    int file = open("file", O_CREAT | O_RDWR, 0600);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    ssize_t got = preadv(file, parts, 2, 4);
    assert(got == 4 && left[0] == 'a' && right[1] == 'd');
    return 0;
}
