/* A lock that was only tried is unlocked all the same. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t s;
static int x;

static void *worker(void *arg) {
    pthread_spin_trylock(&s);
    x = x + 1;
    pthread_spin_unlock(&s);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, worker, NULL);
    if (pthread_spin_trylock(&s) == 0) {
        x = x + 1;
        pthread_spin_unlock(&s);
    }
    pthread_join(t, NULL);
    assert(x == 1 || x == 2);
    pthread_spin_destroy(&s);
    return 0;
}
