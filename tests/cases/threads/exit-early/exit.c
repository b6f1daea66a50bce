/* A thread leaves with pthread_exit when it is told to stop, before its work is done.
 * Fails where main's request comes first. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int stop, done;

static void *worker(void *arg) {
    (void)arg;
    if (stop)
        pthread_exit(NULL);
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    stop = 1;
    pthread_join(t, NULL);
    assert(done == 1);
    return 0;
}
