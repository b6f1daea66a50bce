#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 300000 };
static int ends[2];
static char from[SIZE], to[SIZE];

static void *writer(void *arg) {
    assert(write(ends[1], from, SIZE) == SIZE);
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
    while ((got = read(ends[0], to + total, 100000)) > 0) {
        total += got;
        usleep(10);
    }
    assert(total == SIZE && memcmp(from, to, SIZE) == 0);
    pthread_join(thread, NULL);
    return 0;
}
