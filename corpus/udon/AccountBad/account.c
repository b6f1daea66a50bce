/* A deposit, a withdrawal and a check of the balance, each under the lock. The check subtracts
 * what was paid in, and says so where both others came before it. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x = 1, y = 2, z = 4;
static int balance;
static bool deposit_done, withdraw_done;

static void *deposit(void *arg) {
    pthread_mutex_lock(&m);
    balance = balance + y;
    deposit_done = true;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *withdraw(void *arg) {
    pthread_mutex_lock(&m);
    balance = balance - z;
    withdraw_done = true;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *check_result(void *arg) {
    pthread_mutex_lock(&m);
    if (deposit_done && withdraw_done)
#ifdef SAFE
        assert(balance == (x + y) - z);
#else
        assert(balance == (x - y) - z);
#endif
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t one, two, three;
    balance = x;
    pthread_create(&three, NULL, check_result, NULL);
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&two, NULL, withdraw, NULL);
    pthread_join(three, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
