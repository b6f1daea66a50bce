/* A failure that random strategies need some runs for: the seed decides how many.
 * Three reads by the thread must fall around two writes by main. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    int a = x, b = x, c = x;
    assert(!(a == 0 && b == 1 && c == 2));
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    x = 2;
    pthread_join(t, NULL);
    return 0;
}
