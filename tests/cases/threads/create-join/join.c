/* pthread_create and pthread_join: what the thread wrote is there after the join.
 * Main writes y beside it, so that there is something to interleave. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    y++;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int seen = y;
    pthread_join(t, NULL);
    assert(x == 1);
    assert(seen == 0 || seen == 1);
    return 0;
}
