#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *thread(void *arg) {
    struct timespec limit;
    limit.tv_sec = 4000000000;
    limit.tv_nsec = 0;
    pthread_mutex_lock(&m);
    if (arg == NULL) {
        int late = 0;
        if (!ready)
            late = pthread_cond_timedwait(&c, &m, &limit);
        assert(!late);
    } else {
        ready = 1;
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
