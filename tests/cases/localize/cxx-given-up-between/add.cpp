// The lock is given up between reading and writing.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int x;

static void add() {
    std::unique_lock<std::mutex> lock(m);
    int old = x;
    lock.unlock();
    lock.lock();
    x = old + 1;
}

int main() {
    std::thread one(add), two(add);
    one.join();
    two.join();
    assert(x == 2);
}
