#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending;

static void undo(void *arg) {
    pending = 0;
    (void)arg;
}

static void *request(void *arg) {
    pthread_mutex_lock(&lock);
    pending = 1;
    pthread_mutex_unlock(&lock);
    pthread_cleanup_push(undo, 0);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, request, 0);
    pthread_cancel(one);
    pthread_mutex_lock(&lock);
    int seen = pending;
    pthread_mutex_unlock(&lock);
    pthread_join(one, 0);
    return seen > 1;
}
