#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting;

static void leave(void *arg) {
    waiting--;
    pthread_mutex_unlock(&lock);
    (void)arg;
}

static void *wait_for(void *arg) {
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cleanup_push(leave, 0);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, wait_for, 0);
    pthread_cancel(one);
    pthread_mutex_lock(&lock);
    int seen = waiting;
    waiting = seen;
    pthread_mutex_unlock(&lock);
    pthread_join(one, 0);
    return seen > 1;
}
