#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared;

static void *worker(void *arg) {
    shared++;
    return arg;
}

int main(void) {
    pthread_t thread;
    int seen = 0; char text[64] = ""; long n = readlink("/proc/thread-self", text, sizeof text - 1); for (int i = 0; i < n; i++) seen = seen * 31 + text[i];
    pthread_create(&thread, NULL, worker, NULL);
    shared += seen;
    pthread_join(thread, NULL);
    assert(shared == seen + 1);
    return 0;
}
