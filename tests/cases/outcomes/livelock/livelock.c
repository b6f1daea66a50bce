/* Two threads that are too polite: each lets go of its lock where the other's is taken.
 * In lockstep (the barrier starts them together) neither ever gets both, though both run. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t start;

static void both(pthread_mutex_t *mine, pthread_mutex_t *other) {
    pthread_barrier_wait(&start);
    for (;;) {
        pthread_mutex_lock(mine);
        if (pthread_mutex_trylock(other) == 0)
            break;
        pthread_mutex_unlock(mine);
    }
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(mine);
}

static void *one(void *arg) {
    (void)arg;
    both(&a, &b);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    both(&b, &a);
    return NULL;
}

int main(void) {
    pthread_t s, t;
    pthread_barrier_init(&start, NULL, 2);
    pthread_create(&s, NULL, one, NULL);
    pthread_create(&t, NULL, two, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
