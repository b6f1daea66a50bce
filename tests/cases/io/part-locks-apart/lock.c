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

static int inside;

static void set(int file, int command, short type, off_t start) {
    struct flock part = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = 4};
    assert(fcntl(file, command, &part) == 0);
}

static void *worker(void *arg) {
    off_t start = arg ? 4 : 0;
    int file = open("lock", O_CREAT | O_RDWR, 0600);
    set(file, F_OFD_SETLKW, F_WRLCK, start);
    assert(inside++ == 0);
    inside--;
    set(file, F_OFD_SETLK, F_UNLCK, start);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &inside);
    worker(NULL);
    pthread_join(thread, NULL);
    return 0;
}
