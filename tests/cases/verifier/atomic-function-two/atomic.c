/* Two atomic functions, one to read and one to write, do not make the whole atomic.
 * Fails where an update is lost. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

int __VERIFIER_atomic_get(void) {
    return x;
}

void __VERIFIER_atomic_set(int value) {
    x = value;
}

static void *worker(void *arg) {
    (void)arg;
    int old = __VERIFIER_atomic_get();
    __VERIFIER_atomic_set(old + 1);
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
