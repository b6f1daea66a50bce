/* A constructor starts a thread, which races with main. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t t;

static void count(void) {
    x = x + 1;
}

static void *worker(void *arg) {
    count();
    return arg;
}

__attribute__((constructor)) static void early(void) {
    pthread_create(&t, NULL, worker, NULL);
}

int main(void) {
    count();
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
