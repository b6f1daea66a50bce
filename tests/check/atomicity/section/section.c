#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int a = 1, b = 1;

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    a++;
    b++;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int first = a;
    int second = b;
    assert(first == second);
    pthread_join(thread, 0);
    return 0;
}
