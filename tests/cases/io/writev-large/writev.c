#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIZE = 100000 };
static int ends[2];
static char from[SIZE], to[3 * SIZE];

static void *writer(void *arg) {
    struct iovec parts[3] = {{from, SIZE}, {from, SIZE}, {from, SIZE}};
    assert(writev(ends[1], parts, 3) == 3 * SIZE);
    close(ends[1]);
    return arg;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < SIZE; i++)
        from[i] = i * 7 ^ i >> 9;
    pipe(ends);
    pthread_create(&thread, NULL, writer, NULL);
    long total = 0, got;
    while ((got = read(ends[0], to + total, sizeof to - total)) > 0)
        total += got;
    assert(total == 3 * SIZE);
    for (int i = 0; i < 3; i++)
        assert(memcmp(from, to + i * SIZE, SIZE) == 0);
    pthread_join(thread, NULL);
    return 0;
}
