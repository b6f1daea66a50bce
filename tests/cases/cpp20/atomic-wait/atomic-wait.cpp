// The waiter is notified.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag;
static int x;

int main() {
    std::thread worker([] {
        x = 1;
        flag.store(1);
        flag.notify_one();
    });
    flag.wait(0);
    assert(x == 1);
    worker.join();
    return 0;
}
