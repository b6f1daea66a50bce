#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
sem_t s; pthread_barrier_t bar;
int ready, data, total; atomic_int hits;
static void *producer(void *arg) {
    pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
    pthread_rwlock_wrlock(&rw); data = 5; pthread_rwlock_unlock(&rw);
    sem_post(&s);
    atomic_fetch_add(&hits, 1);
    pthread_barrier_wait(&bar);
    int t = total; total = t + 1;
    return arg;
}
static void *consumer(void *arg) {
    pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
    sem_wait(&s);
    pthread_rwlock_rdlock(&rw); int d = data; pthread_rwlock_unlock(&rw);
    atomic_fetch_add(&hits, 1);
    assert(d == 5);
    pthread_barrier_wait(&bar);
    int t = total; total = t + 1;
    return arg;
}
int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 0); pthread_barrier_init(&bar, 0, 2);
    pthread_create(&b, 0, consumer, 0);
    pthread_create(&a, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 2 && hits == 2);
    return 0;
}
