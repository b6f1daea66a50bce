#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int open;

static void *opener(void *arg) {
    atomic_store(&open, 1);
    pthread_cond_signal(&changed);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, opener, 0);
    pthread_mutex_lock(&lock);
    while (!atomic_load(&open))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
