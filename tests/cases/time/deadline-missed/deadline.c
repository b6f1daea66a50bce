/* The worker must be done within a second; whoever sleeps before it makes it late. */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static time_t begin;

static void *worker(void *arg) {
    assert(time(NULL) - begin <= 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    begin = time(NULL);
    pthread_create(&thread, NULL, worker, NULL);
    sleep(5);
    pthread_join(thread, NULL);
    return 0;
}
