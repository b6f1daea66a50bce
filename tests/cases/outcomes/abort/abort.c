/* abort() is called where the thread sees what main wrote.
 * A kind of its own, at the call. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    if (x == 1)
        abort();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    pthread_join(t, NULL);
    return 0;
}
