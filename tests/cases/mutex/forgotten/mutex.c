/* One of two threads forgets the lock: the other's lock is of no use.
 * Fails where an update is lost. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *careful(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *careless(void *arg) {
    (void)arg;
    x++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, careful, NULL);
    pthread_create(&two, NULL, careless, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
