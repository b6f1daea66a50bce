#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *arg) {
    int amount = *(unsigned char *)arg;
    pthread_mutex_lock(&lock);
    if (amount <= balance) {
        balance -= amount;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    unsigned char amounts[2];
    amounts[0] = __VERIFIER_nondet_uchar();
    amounts[1] = __VERIFIER_nondet_uchar();
    pthread_create(&a, 0, withdraw, &amounts[0]);
    pthread_create(&b, 0, withdraw, &amounts[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance >= 0);
    return 0;
}
