/* Main looks at what the destructor does without waiting for the thread to end. */
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
    static int left = 1;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, worker, &left);
    assert(calls == 0);
    return 0;
}
