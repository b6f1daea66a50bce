#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *worker(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    int status = 0, ends[2];
    char byte = 0;
    pipe(ends);
    pthread_create(&thread, NULL, worker, NULL);
    pid_t child = fork();
    assert(child >= 0);
    if (child == 0) {
        write(ends[1], "x", 1);
        _exit(7);
    }
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert(waitpid(-1, &status, 0) == -1 && errno == ECHILD);
    pthread_join(thread, NULL);
    return 0;
}
