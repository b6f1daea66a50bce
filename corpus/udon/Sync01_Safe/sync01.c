/* A buffer with room for one: who puts in waits until it is empty, who takes out until it is full.
 * It is full at first and full at the end. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int num = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;

static void *put(void *arg) {
    pthread_mutex_lock(&m);
    while (num > 0)
        pthread_cond_wait(&empty, &m);
    num++;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&full);
    return arg;
}

static void *take(void *arg) {
    pthread_mutex_lock(&m);
    while (num == 0)
        pthread_cond_wait(&full, &m);
    num--;
    pthread_mutex_unlock(&m);
#ifdef BAD
    pthread_cond_signal(&full); /* nobody who waits for it is told */
#else
    pthread_cond_signal(&empty);
#endif
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, put, NULL);
    pthread_create(&two, NULL, take, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(num == 1);
    return 0;
}
