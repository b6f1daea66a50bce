/* sem_timedwait: comes after the post, or gives up. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t s;
static int x;

static void *worker(void *arg) {
    x = 1;
    sem_post(&s);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec limit;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 30;
    int error = sem_timedwait(&s, &limit);
    assert(error == 0 || errno == ETIMEDOUT);
    assert(error || x == 1);
    pthread_join(t, NULL);
    return 0;
}
