#include <assert.h>
#include <pthread.h>

static int done;

static void leave(void *value) { pthread_exit(value); }

static void *work(void *arg) {
    leave(arg);
    done = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    int token;
    void *result = 0;
    pthread_create(&thread, 0, work, &token);
    pthread_join(thread, &result);
    assert(result == &token && done);
    return 0;
}
