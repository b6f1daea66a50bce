#include <pthread.h>

static pthread_mutex_t lock;
static int log_length;

static void append(int n) {
    pthread_mutex_lock(&lock);
    log_length += n;
    pthread_mutex_unlock(&lock);
}

static void *twice(void *arg) {
    pthread_mutex_lock(&lock);
    append(1);
    log_length++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_t one;
    pthread_create(&one, 0, twice, 0);
    append(4);
    pthread_join(one, 0);
    return 0;
}
