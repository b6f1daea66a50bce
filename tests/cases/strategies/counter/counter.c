/* The racy counter that every strategy has to find.
 * x = x + y reads twice, so that also round robin loses an update. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y = 1;

static void *worker(void *arg) {
    (void)arg;
    x = x + y;
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
