/* Main ends the process with quick_exit while another thread is about to fail.
 * The end is an operation: the other may come first. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *worker(void *arg) {
    assert(arg);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    quick_exit(0);
}
