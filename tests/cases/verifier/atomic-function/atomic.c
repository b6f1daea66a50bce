/* A function whose name starts with __VERIFIER_atomic_ is an atomic section.
 * The program defines it; only its name makes it so. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

void __VERIFIER_atomic_increment(void) {
    x++;
}

static void *worker(void *arg) {
    (void)arg;
    __VERIFIER_atomic_increment();
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
