#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1;
static bool stopping, drained, stopped;

static int enter(void) {
    if (stopping)
        return -1;
    pthread_mutex_lock(&lock);
    pending = pending + 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void leave(void) {
    pthread_mutex_lock(&lock);
    pending = pending - 1;
    if (pending == 0)
        drained = true;
    pthread_mutex_unlock(&lock);
}

static void *request(void *arg) {
    if (enter() == 0) {
        assert(!stopped);
        leave();
    }
    return arg;
}

static void stop(void) {
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_mutex_unlock(&lock);
    leave();
    if (drained)
        stopped = true;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, request, NULL);
    stop();
    pthread_join(thread, NULL);
    return 0;
}
