/* nanosleep is a cancellation point. */
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

static void *worker(void *arg) {
    (void)arg;
    pthread_cleanup_push(clean, NULL);
    pthread_cleanup_push(clean, NULL);
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(cleaned == (value == PTHREAD_CANCELED ? 2 : 0));
    return 0;
}
