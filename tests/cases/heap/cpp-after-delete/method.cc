// A method is called on an object that was deleted.
#include <memory>
#include <thread>

struct Account {
    virtual ~Account() = default;
    virtual long balance() { return money; }
    long money = 3;
};

int main() {
    auto account = std::make_unique<Account>();
    Account *plain = account.get();
    std::thread worker([plain] {
        plain->balance();
    });
    account.reset();
    worker.join();
    return 0;
}
