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

static int ends[2];
static char left[2], right[2];

static void *reader(void *arg) {
    struct iovec parts[2] = {{left, 2}, {right, 2}};
    assert(preadv2(ends[0], parts, 2, -1, 0) == 4);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct iovec parts[2] = {{"ab", 2}, {"cd", 2}};
    pipe(ends);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    assert(pwritev2(ends[1], parts, 2, -1, 0) == 4);
    assert(left[1] == 'b' && right[0] == 'c');
    return 0;
}
