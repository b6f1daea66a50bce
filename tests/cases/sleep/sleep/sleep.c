/* Sleeping calls, hours of them: they take no time of ours.
 * Each is a step, and the lock keeps x right. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    usleep(999999);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct timespec hour = {3600, 0};
    pthread_create(&t, NULL, worker, NULL);
    assert(sleep(3600) == 0);
    assert(nanosleep(&hour, NULL) == 0);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
