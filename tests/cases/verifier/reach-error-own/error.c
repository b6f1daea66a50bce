/* A program that defines reach_error itself, as SV-COMP's do: its own is called.
 * The assertion inside it is what fails. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

void reach_error(void) {
    assert(0 && "reached");
}

static void *worker(void *arg) {
    (void)arg;
    if (x == 1)
        reach_error();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    pthread_join(t, NULL);
    return 0;
}
