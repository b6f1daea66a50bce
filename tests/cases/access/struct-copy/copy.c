/* A structure is copied in two steps, read and write; the source may change in between.
 * Fails where the copy of the old value is written last. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct state {
    int values[16];
};
static struct state from, to;

static void *copier(void *arg) {
    to = from;
    return arg;
}

int main(void) {
    pthread_t t;
    from.values[0] = 1;
    pthread_create(&t, NULL, copier, NULL);
    from.values[0] = 2;
    to.values[0] = 2;
    pthread_join(t, NULL);
    assert(to.values[0] == 2);
    return 0;
}
