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

static int lock(const char *name) {
    int file = open(name, O_CREAT | O_RDWR, 0600);
    assert(flock(file, LOCK_EX) == 0);
    return file;
}

static void *worker(void *arg) {
    int first = lock("a"), second = lock("b");
    close(second);
    close(first);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int first = lock("b"), second = lock("a");
    close(second);
    close(first);
    pthread_join(thread, NULL);
    return 0;
}
