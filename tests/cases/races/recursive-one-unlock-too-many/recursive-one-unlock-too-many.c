#include <pthread.h>

static pthread_mutex_t lock;
static int entries;

static void flush(void) {
    pthread_mutex_lock(&lock);
    entries = 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *fill(void *arg) {
    pthread_mutex_lock(&lock);
    flush();
    entries = 7;
    return arg;
}

static void *check(void *arg) {
    pthread_mutex_lock(&lock);
    int now = entries;
    pthread_mutex_unlock(&lock);
    return now ? arg : 0;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_t one, two;
    pthread_create(&one, 0, fill, 0);
    pthread_create(&two, 0, check, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
