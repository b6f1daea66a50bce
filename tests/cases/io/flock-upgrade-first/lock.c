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

static int counter;

static void *worker(void *arg) {
    int file = open("lock", O_CREAT | O_RDWR, 0600);
    flock(file, LOCK_SH);
    flock(file, LOCK_EX);
    int seen = counter;
    counter = seen + 1;
    close(file);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
