#include <cassert>
#include <pthread.h>

struct Account {
    int balance = 0;
    void add(int amount) { balance += amount; }
};

static Account account;

static void *deposit(void *arg) {
    account.add(10);
    return arg;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, deposit, nullptr);
    pthread_create(&b, nullptr, deposit, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    assert(account.balance == 20);
}
