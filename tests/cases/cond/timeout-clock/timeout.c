/* When a timed wait says ETIMEDOUT, its limit has passed on the clock as well.
 * Programs that wait in a loop for a point in time depend on it. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec limit, now;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 3600;
    pthread_mutex_lock(&m);
    int rc = pthread_cond_timedwait(&c, &m, &limit);
    pthread_mutex_unlock(&m);
    assert(rc == ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec > limit.tv_sec || (now.tv_sec == limit.tv_sec && now.tv_nsec >= limit.tv_nsec));
    return 0;
}
