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

static int first[2], second[2];

static void *mover(void *arg) {
    assert(tee(first[0], second[1], 8, 0) == 3);
    return arg;
}

int main(void) {
    pthread_t thread;
    char text[4];
    pipe(first);
    pipe(second);
    pthread_create(&thread, NULL, mover, NULL);
    assert(write(first[1], "abc", 3) == 3);
    assert(read(second[0], text, 4) == 3 && memcmp(text, "abc", 3) == 0);
    assert(read(first[0], text, 4) == 3 && memcmp(text, "abc", 3) == 0);
    pthread_join(thread, NULL);
    return 0;
}
