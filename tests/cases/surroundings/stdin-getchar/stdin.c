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
    int sum = 0, c; while ((c = getchar()) != EOF) sum += c;
    assert(sum == 334);
    pthread_create(&thread, NULL, worker, NULL);
    shared++;
    pthread_join(thread, NULL);
    if (shared != 2)
        abort();
    return 0;
}
