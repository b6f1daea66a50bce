/* An atomic byte, read and written in two operations.
 * Fails where an update is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uint8_t x;

static void *worker(void *arg) {
    (void)arg;
    x = x + 1;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
