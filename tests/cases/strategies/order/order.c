/* An order violation: the thread needs what main writes after it has created it.
 * Reverse priority runs a new thread at once and finds it; round robin goes back to main too soon. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    assert(x == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    pthread_join(t, NULL);
    return 0;
}
