/* Which of two waiters does a signal pick? Either: both must be tried.
 * Fails where it picks the one that went to sleep last. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int asleep, first;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    int turn = asleep++;
    pthread_cond_wait(&c, &m);
    if (!first)
        first = turn + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, waiter, NULL);
    pthread_create(&two, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    if (asleep == 2) {
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        assert(first != 2);
    }
    return 0;
}
