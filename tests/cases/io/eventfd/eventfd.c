#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter, inside;

static void *worker(void *arg) {
    eventfd_t value;
    assert(eventfd_read(counter, &value) == 0 && value == 1);
    assert(inside++ == 0);
    inside--;
    assert(eventfd_write(counter, 1) == 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    counter = eventfd(1, EFD_SEMAPHORE);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    return 0;
}
