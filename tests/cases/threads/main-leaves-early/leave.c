/* Main ends with pthread_exit after it has set x; the thread does not wait for that.
 * Fails where the thread is faster, although main is not joined by anybody. */
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
    pthread_exit(NULL);
}
