#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int clean;

static void clean_up(void *arg) { *(int *)arg = 1; }

static void *work(void *arg) {
    pthread_cleanup_push(clean_up, &clean);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *result = 0;
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    assert(clean);
    return 0;
}
