#include <assert.h>
#include <pthread.h>

static int order[2], next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(int who) {
    pthread_mutex_lock(&lock);
    order[next++] = who;
    pthread_mutex_unlock(&lock);
}

static void *inner(void *arg) {
    note(1);
    return arg;
}

static void *outer(void *arg) {
    pthread_t thread;
    pthread_create(&thread, 0, inner, 0);
    pthread_join(thread, 0);
    note(2);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, outer, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&lock);
    assert(order[0] == 1 && order[1] == 2);
    pthread_mutex_unlock(&lock);
    return 0;
}
