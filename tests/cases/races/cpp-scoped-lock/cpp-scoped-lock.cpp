#include <mutex>
#include <thread>

struct Account {
    std::mutex mutex;
    int balance = 10;
};
static Account a, b;

static void move(Account &from, Account &to) {
    std::scoped_lock both(from.mutex, to.mutex);
    from.balance--;
    to.balance++;
}

int main() {
    std::thread one([] { move(a, b); });
    move(b, a);
    one.join();
    return a.balance != 10;
}
