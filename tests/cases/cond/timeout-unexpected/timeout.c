/* A timed wait whose caller takes it for granted that the signal is in time.
 * Fails where the time is over before. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 3600;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, waker, NULL);
    int rc = pthread_cond_timedwait(&c, &m, &limit);
    assert(rc == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
