// Two threads take two locks in different orders.
#include <mutex>
#include <thread>

static std::mutex from, to;
static int left = 10, right;

static void there() {
    std::lock_guard<std::mutex> first(from);
    std::lock_guard<std::mutex> second(to);
    left--;
    right++;
}

static void back() {
    to.lock();
    from.lock();
    right--;
    left++;
    from.unlock();
    to.unlock();
}

int main() {
    std::thread one(there), two(back);
    one.join();
    two.join();
}
