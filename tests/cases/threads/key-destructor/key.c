/* A destructor that sets its key again is called again, four times at most, before the thread has ended. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int calls;

static void destroy(void *value) {
    int *left = value;
    calls++;
    if (--*left > 0)
        pthread_setspecific(key, value);
}

static void *worker(void *arg) {
    pthread_setspecific(key, arg);
    return NULL;
}

int main(void) {
    pthread_t t;
    static int left = PTHREAD_DESTRUCTOR_ITERATIONS + 3;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, worker, &left);
    pthread_join(t, NULL);
    assert(calls == PTHREAD_DESTRUCTOR_ITERATIONS);
    return 0;
}
