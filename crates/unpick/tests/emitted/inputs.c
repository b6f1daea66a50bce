#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static int amount, limit = 10;

static void *raise(void *arg) {
    int by = __VERIFIER_nondet_int();
    __VERIFIER_assume(by > 0 && by < 20);
    if (amount + by < limit)
        amount += by;
    return arg;
}

int main(void) {
    pthread_t one, two;
    amount = __VERIFIER_nondet_uchar() % 5;
    pthread_create(&one, 0, raise, 0);
    pthread_create(&two, 0, raise, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(amount < limit);
    return 0;
}
