#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* quick_exit runs its own handlers only; whoever is first decides, and all ways end with 0. */
static int mark;

static void normal(void) { mark++; }

static void quick(void) {
    if (mark != 0)
        _exit(5);
}

static void *worker(void *arg) {
    quick_exit(0);
    return arg;
}

static void *other(void *arg) {
    _exit(0);
    return arg;
}

int main(void) {
    pthread_t one, two;
    atexit(normal);
    at_quick_exit(quick);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 6;
}
