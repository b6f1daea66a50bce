#include <atomic>
#include <thread>

static std::atomic<bool> changed{false};
static int first, second;

static void produce() {
    first = 4;
    changed.exchange(true, std::memory_order_relaxed);
    changed.notify_all();
}

static void consume() {
    changed.wait(false, std::memory_order_relaxed);
    second = first;
}

int main() {
    std::thread one(produce), two(consume);
    one.join();
    two.join();
    return second > 4;
}
