#include <assert.h>
#include <pthread.h>
int balance = 100;
static void *deposit(void *arg) { int b = balance; balance = b + 50; return arg; }
static void *withdraw(void *arg) { int b = balance; balance = b - 30; return arg; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, deposit, 0);
    pthread_create(&b, 0, withdraw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance == 120);
    return 0;
}
