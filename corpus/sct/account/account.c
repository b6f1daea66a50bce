/* The auditor looks at the balance under the lock, but at the flags before it. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10, deposited, withdrawn;

static void *deposit(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    balance += 5;
    deposited = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *withdraw(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    balance -= 3;
    withdrawn = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *audit(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int expected = 10 + (deposited ? 5 : 0);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (withdrawn)
        expected -= 3;
    assert(balance == expected);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, deposit, NULL);
    pthread_create(&threads[1], NULL, withdraw, NULL);
    pthread_create(&threads[2], NULL, audit, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
