/* Two accounts and their sum, without the lock: what a transfer takes away a deposit may bring back. Now and then
 * the sum is wrong. */
#include <pthread.h>
#include <stddef.h>

static struct {
    int checking, savings, total;
} ledger = {100, 50, 150};

static void move(int amount) {
    ledger.checking -= amount;
    ledger.savings += amount;
}

static void deposit(int amount) {
    ledger.checking += amount;
    ledger.total += amount;
}

static void *mover(void *arg) {
    for (int i = 1; i <= 1; i++) {
        move(7 * i);
    }
    return arg;
}

static void *depositor(void *arg) {
    for (int i = 1; i <= 1; i++) {
        deposit(i * i);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, mover, NULL);
    pthread_create(&b, NULL, depositor, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return ledger.checking + ledger.savings != ledger.total;
}
