/* A structure of 16 bytes is copied at once, its two halves are written one after the other.
 * Behind a lock it holds. */
#include <assert.h>
#include <pthread.h>

struct pair {
    long first, second;
};
static struct pair pair = {1, 1}, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *copier(void *arg) {
    pthread_mutex_lock(&lock);
    seen = pair;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, copier, 0);
    pthread_mutex_lock(&lock);
    pair.first = 2;
    pair.second = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    assert(seen.first == seen.second);
    return 0;
}
