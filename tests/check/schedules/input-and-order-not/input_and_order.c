#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int x = 1, y;

static void *work(void *arg) {
    x *= 2;
    y = x + 1;
    return arg;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 1000)
        return 0;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int seen = x;
    pthread_join(thread, 0);
    if (n == 123456 && seen == 1)
        assert(y == 0);
    return 0;
}
