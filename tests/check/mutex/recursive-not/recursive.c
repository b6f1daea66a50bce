#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int depth_seen;

static void nested(int depth) {
    pthread_mutex_lock(&lock);
    if (depth > 0)
        nested(depth - 1);
    else
        depth_seen++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
    nested(2);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(depth_seen == 2);
    return 0;
}
