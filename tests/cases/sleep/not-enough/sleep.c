/* Main sleeps an hour in place of a join.
 * Fails where the thread was not scheduled all that time. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    sleep(3600);
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
