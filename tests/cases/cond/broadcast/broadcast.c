/* Broadcast wakes all: two threads wait for the same flag.
 * Both go on, whichever of them sleeps. */
#include <pthread.h>
#include <stddef.h>

static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, waiter, NULL);
    pthread_create(&two, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
