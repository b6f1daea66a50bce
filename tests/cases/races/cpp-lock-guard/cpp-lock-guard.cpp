#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<int> items;

static void append(int value) {
    std::lock_guard<std::mutex> guard(mutex);
    items.push_back(value);
}

int main() {
    std::thread one(append, 1), two(append, 2);
    one.join();
    two.join();
    return items.size() != 2;
}
