#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static volatile unsigned at;
static int table[4];

static void *change(void *arg) {
    at = __VERIFIER_nondet_uint();
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    unsigned i = at;
    if (i < 4)
        table[i] = 1;
    pthread_join(thread, 0);
    return 0;
}
