/* A thread that waits for a semaphore is cancelled, and its handlers run, innermost first. */
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

static sem_t s;

static void *worker(void *arg) {
    (void)arg;
    pthread_cleanup_push(clean, NULL);
    pthread_cleanup_push(clean, NULL);
    sem_wait(&s);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    void *value;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == PTHREAD_CANCELED);
    assert(cleaned == 2);
    return 0;
}
