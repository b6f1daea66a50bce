/* Paper 001, Figure 5: the bank account of Figure 3 with an atomic withdraw().
 * It locks around functions that lock: the mutex is recursive. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <unpick.h>

static int balance = 400;
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static int getBalance(void) {
    int bal;
    pthread_mutex_lock(&m);
    bal = balance;
    pthread_mutex_unlock(&m);
    return bal;
}

static void setBalance(int bal) {
    pthread_mutex_lock(&m);
    balance = bal;
    pthread_mutex_unlock(&m);
}

static void *withdraw(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    int bal = getBalance();
    bal = bal - 100;
    setBalance(bal);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, withdraw, NULL);
    pthread_create(&t2, NULL, withdraw, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    R_assert(balance == 200);
    return 0;
}
