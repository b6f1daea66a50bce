/* Waits that give up. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
sem_t s;
int ready, late;
void *waiter(void *arg) {
    struct timespec until = {1577836801, 500};
    if (pthread_mutex_timedlock(&m, &until) == ETIMEDOUT)
        return arg;
    while (!ready)
        if (pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT) {
            late++;
            break;
        }
    pthread_mutex_unlock(&m);
    if (sem_timedwait(&s, &until) < 0 && errno == ETIMEDOUT)
        late++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    struct timespec soon = {0, 1000}, until = {1577836802, 0};
    int left;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, waiter, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    nanosleep(&soon, 0);
    usleep(3);
    sem_getvalue(&s, &left);
    if (pthread_tryjoin_np(a, 0) == EBUSY)
        pthread_join(a, 0);
    if (pthread_timedjoin_np(b, 0, &until) == ETIMEDOUT)
        pthread_join(b, 0);
    return late > 4 || left > 1;
}
