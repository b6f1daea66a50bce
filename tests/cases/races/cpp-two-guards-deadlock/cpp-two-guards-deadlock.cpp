#include <mutex>
#include <thread>

struct Account {
    std::mutex mutex;
    int balance = 10;
    void pay(Account &other) {
        mutex.lock();
        other.take(1);
        balance--;
        mutex.unlock();
    }
    void take(int amount) {
        std::lock_guard<std::mutex> mine(mutex);
        balance += amount;
    }
};
static Account a, b;

int main() {
    std::thread one([] { a.pay(b); });
    b.pay(a);
    one.join();
    return 0;
}
