/* unpick_choose and a schedule: only one value, in one order, fails.
 * Both are part of what is replayed. */
#include <pthread.h>
#include <stddef.h>
#include <unpick.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    int n = unpick_choose(0, 2);
    pthread_create(&t, NULL, worker, NULL);
    int seen = x;
    pthread_join(t, NULL);
    R_assert(n != 2 || seen == 1);
    return 0;
}
