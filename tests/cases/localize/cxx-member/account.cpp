// One function of the class takes its mutex, the other does not.
#include <cassert>
#include <mutex>
#include <thread>

namespace bank {

class Account {
  public:
    void deposit(int amount) {
        std::lock_guard<std::mutex> guard(m_);
        balance_ += amount;
    }

    void withdraw(int amount) {
        int left = balance_ - amount;
        balance_ = left;
    }

    int balance() const { return balance_; }

  private:
    int balance_ = 100;
    std::mutex m_;
};

} // namespace bank

static bank::Account account;

int main() {
    std::thread in([] { account.deposit(50); });
    std::thread out([] { account.withdraw(30); });
    in.join();
    out.join();
    assert(account.balance() == 120);
}
