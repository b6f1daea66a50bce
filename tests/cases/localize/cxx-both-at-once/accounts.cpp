// Whoever gives takes the own lock first: two who give to each other wait for each other.
#include <mutex>
#include <thread>

struct Account {
    std::mutex m;
    int money = 100;
};

static Account a, b;

static void give(Account &from, Account &to, int amount) {
    std::lock_guard<std::mutex> one(from.m);
    std::lock_guard<std::mutex> two(to.m);
    from.money -= amount;
    to.money += amount;
}

int main() {
    std::thread one([] { give(a, b, 1); }), two([] { give(b, a, 2); });
    one.join();
    two.join();
}
