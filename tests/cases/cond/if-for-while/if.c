/* A waiter tests with `if` in place of `while`: when it is awake again, the item may be gone.
 * Fails where the other consumer takes the item between the signal and the waking. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int items;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *sleeper(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (items == 0)
        pthread_cond_wait(&c, &m);
    assert(items == 1);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *taker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    items = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, sleeper, NULL);
    pthread_create(&two, NULL, taker, NULL);
    pthread_mutex_lock(&m);
    items = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(two, NULL);
    return 0;
}
