/* R_assert of unpick.h fails, even with NDEBUG: it is not assert().
 * Fails where the thread has not written yet. */
#define NDEBUG
#include <assert.h>
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
    pthread_create(&t, NULL, worker, NULL);
    assert(x == 2);
    R_assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
