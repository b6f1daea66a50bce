/* A structure of 16 bytes is copied at once, its two halves are written one after the other.
 * Fails where the copy is taken in between. */
#include <assert.h>
#include <pthread.h>

struct pair {
    long first, second;
};
static struct pair pair = {1, 1}, seen;

static void *copier(void *arg) {
    seen = pair;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, copier, 0);
    pair.first = 2;
    pair.second = 2;
    pthread_join(t, 0);
    assert(seen.first == seen.second);
    return 0;
}
