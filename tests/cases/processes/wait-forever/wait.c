#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int got, failed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waiter(void *arg) {
    int result = wait(NULL), error = errno;
    pthread_mutex_lock(&mutex);
    if (result > 0)
        got++;
    else
        failed += error == ECHILD;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    if (fork() == 0)
        _exit(0);
    pthread_create(&thread, NULL, waiter, NULL);
    waiter(NULL);
    pthread_join(thread, NULL);
    assert(got == 1 && failed == 1);
    return 0;
}
