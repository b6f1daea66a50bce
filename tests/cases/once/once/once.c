/* pthread_once: whoever comes first runs the routine, the other waits for its end.
 * Both find it done. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void init(void) {
    runs++;
}

static void *worker(void *arg) {
    (void)arg;
    pthread_once(&once, init);
    assert(runs == 1);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
