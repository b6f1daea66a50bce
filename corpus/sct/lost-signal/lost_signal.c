/* Whether to wait is asked before the lock is taken. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done, work;

static void *wait_for_it(void *arg) {
    (void)arg;
    if (!done) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&ready, &lock);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *bring(void *arg) {
    (void)arg;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        work++;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, wait_for_it, NULL);
    pthread_create(&other, NULL, bring, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
