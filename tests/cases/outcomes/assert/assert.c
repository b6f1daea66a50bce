/* A failed assert: the kind, the expression, the place and the function.
 * Fails where the thread sees what main wrote. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void deep(void) {
    assert(x != 1 && "too early");
}

static void *worker(void *arg) {
    (void)arg;
    deep();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    pthread_join(t, NULL);
    return 0;
}
