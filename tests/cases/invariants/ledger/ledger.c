/* Two accounts and their sum; transfers and deposits under a lock. In `move` and `deposit` the lock is held, so that
 * what they find and leave is consistent. */
#include <pthread.h>
#include <stddef.h>

static struct {
    int checking, savings, total;
} ledger = {100, 50, 150};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void move(int amount) {
    ledger.checking -= amount;
    ledger.savings += amount;
}

static void deposit(int amount) {
    ledger.checking += amount;
    ledger.total += amount;
}

static void *mover(void *arg) {
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        move(7 * i);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *depositor(void *arg) {
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        deposit(i * i);
        pthread_mutex_unlock(&m);
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
