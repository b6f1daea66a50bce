/* Threads with a stack size of their own, smaller and larger than usual.
 * Nothing is wrong with that. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static int done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    char room[64 * 1024];
    memset(room, 1, sizeof room);
    pthread_mutex_lock(&m);
    done += room[100];
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_attr_t small, large;
    pthread_attr_init(&small);
    pthread_attr_init(&large);
    assert(pthread_attr_setstacksize(&small, 256 * 1024) == 0);
    assert(pthread_attr_setstacksize(&large, 64 * 1024 * 1024) == 0);
    pthread_create(&one, &small, worker, NULL);
    pthread_create(&two, &large, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(done == 2);
    return 0;
}
