// Two cash machines withdraw money from one shared account.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
public:
    explicit Account(int balance) : balance_(balance) {}

    int balance() const {
        std::lock_guard<std::mutex> guard(mutex_);
        return balance_;
    }

    bool debit(int amount) {
        std::lock_guard<std::mutex> guard(mutex_);
        if (balance_ < amount)
            return false;
        balance_ -= amount;
        return true;
    }

private:
    mutable std::mutex mutex_;
    int balance_;
};

class Atm {
public:
    explicit Atm(Account &account) : account_(account) {}

    bool withdraw(int amount) {
        if (!account_.debit(amount))
            return false;
        dispensed_ += amount;
        return true;
    }

    int dispensed() const { return dispensed_; }

private:
    Account &account_;
    int dispensed_ = 0;
};

int main() {
    Account account(100);
    Atm lobby(account), street(account);

    std::thread alice([&] {
        lobby.withdraw(60);
        lobby.withdraw(10);
    });
    std::thread bob([&] { street.withdraw(50); });
    alice.join();
    bob.join();

    assert(account.balance() + lobby.dispensed() + street.dispensed() == 100);
    return 0;
}
