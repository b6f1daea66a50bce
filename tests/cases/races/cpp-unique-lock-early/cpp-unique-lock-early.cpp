#include <mutex>
#include <thread>

static std::mutex mutex;
static int sum, last;

static void add(int value) {
    std::unique_lock<std::mutex> lock(mutex);
    sum += value;
    lock.unlock();
    last = value;
}

int main() {
    std::thread one(add, 1), two(add, 2);
    one.join();
    two.join();
    return sum != 3;
}
