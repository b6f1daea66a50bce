#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *ended(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ended, NULL);
    sleep(1);
    assert(pthread_kill(thread, 0) == 0);
    pthread_join(thread, NULL);
    return 0;
}
