/* A thread that joins another one is cancelled. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static int cleaned;

static void clean(void *arg) {
    (void)arg;
    cleaned++;
}

static pthread_t other;

static void *worker(void *arg) {
    (void)arg;
    pthread_cleanup_push(clean, NULL);
    pthread_cleanup_push(clean, NULL);
    pthread_join(other, NULL);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    void *value;
    other = pthread_self();
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == PTHREAD_CANCELED);
    assert(cleaned == 2);
    return 0;
}
