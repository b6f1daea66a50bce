#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int inside;

static void *worker(void *arg) {
    if (access("lock", F_OK) != 0) {
        int lock = open("lock", O_CREAT | O_WRONLY, 0600);
        assert(inside++ == 0);
        inside--;
        close(lock);
        unlink("lock");
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    return 0;
}
