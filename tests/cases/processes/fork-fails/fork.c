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
    int status = 0, ends[2];
    char byte = 0;
    pipe(ends);
    pthread_create(&thread, NULL, worker, NULL);
    shared++;
    pid_t child = fork();
    if (child == 0) {
        byte = getpid() % 100;
        write(ends[1], &byte, 1);
        _exit(0);
    }
    read(ends[0], &byte, 1);
    printf("child %d sent %d\n", (int)child, byte);
    waitpid(child, &status, 0);
    pthread_join(thread, NULL);
    assert(shared == 2);
    return 0;
}
