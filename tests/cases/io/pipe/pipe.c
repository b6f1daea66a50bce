#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
    assert(write(ends[1], "abc", 3) == 3);
    close(ends[1]);
    return arg;
}

int main(void) {
    pthread_t thread;
    char bytes[8];
    pipe(ends);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(ends[0], bytes, sizeof bytes) == 3 && memcmp(bytes, "abc", 3) == 0);
    assert(read(ends[0], bytes, sizeof bytes) == 0);
    pthread_join(thread, NULL);
    return 0;
}
