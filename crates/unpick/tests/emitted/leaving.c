/* `pthread_exit` in main and elsewhere, `pthread_once`, a detached thread, a timed wait. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int begun, rounds;

static void begin(void) { begun++; }

static void leave(void *result) { pthread_exit(result); }

static void *work(void *arg) {
    struct timespec soon = { 1, 0 };
    pthread_once(&once, begin);
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&never, &lock, &soon);
    pthread_mutex_unlock(&lock);
    int before = rounds;
    rounds = before + 1;
    if (arg)
        leave(arg);
    return 0;
}

static void *judge(void *arg) {
    pthread_t *threads = arg;
    void *result;
    pthread_join(threads[0], &result);
    pthread_join(threads[1], 0);
    assert(result == threads && begun == 1);
    assert(rounds == 2);
    return 0;
}

int main(void) {
    static pthread_t threads[3];
    pthread_create(&threads[0], 0, work, threads);
    pthread_create(&threads[1], 0, work, 0);
    pthread_create(&threads[2], 0, judge, threads);
    pthread_detach(threads[2]);
    pthread_exit(0);
}
