#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int opening = 1, paid_in = 2, paid_out = 4, balance;

static void *deposit(void *arg) {
    pthread_mutex_lock(&lock);
    balance = balance + paid_in;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *withdraw(void *arg) {
    pthread_mutex_lock(&lock);
    balance = balance - paid_out;
    pthread_mutex_unlock(&lock);
    return arg;
}

static int current_balance(void) {
    pthread_mutex_lock(&lock);
    int current = balance;
    pthread_mutex_unlock(&lock);
    return current;
}

int main(void) {
    pthread_t one, two;
    balance = opening;
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&two, NULL, withdraw, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    int expected = opening + paid_in - paid_out;
    assert(current_balance() == expected);
    return 0;
}
