/* The same with a race. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

int mtx_lock(int *calls);
int call_once(int *calls);
int wait(int *calls);

int mtx_lock(int *calls) { return ++*calls; }
int call_once(int *calls) { return ++*calls; }
int wait(int *calls) { return ++*calls; }

static void *worker(void *arg) {
    x = x + 1;
    (void)m;
    return arg;
}

int main(void) {
    pthread_t one, two;
    int calls = 0;
    assert(mtx_lock(&calls) + call_once(&calls) + wait(&calls) == 6);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
