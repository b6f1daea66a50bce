#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int locked, value;

void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(locked == 0);
    locked = 1;
}

void __VERIFIER_atomic_release(void) { locked = 0; }

static void *work(void *arg) {
    __VERIFIER_atomic_acquire();
    int old = value;
    value = old + 1;
    assert(value == old + 1);
    __VERIFIER_atomic_release();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(value == 2);
    return 0;
}
