#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 70000 };
static int there[2], back[2];

static void *other(void *arg) {
    static char bytes[SIZE];
    write(back[1], bytes, SIZE);
    for (long total = 0; total < SIZE;)
        total += read(there[0], bytes, SIZE);
    return arg;
}

int main(void) {
    static char bytes[SIZE];
    pthread_t thread;
    pipe(there);
    pipe(back);
    pthread_create(&thread, NULL, other, NULL);
    write(there[1], bytes, SIZE);
    for (long total = 0; total < SIZE;)
        total += read(back[0], bytes, SIZE);
    pthread_join(thread, NULL);
    return 0;
}
