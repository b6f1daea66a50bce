/* trylock: who gets the lock counts; who does not goes away.
 * At least one gets it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    if (pthread_mutex_trylock(&m) == 0) {
        x++;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x >= 1);
    return 0;
}
