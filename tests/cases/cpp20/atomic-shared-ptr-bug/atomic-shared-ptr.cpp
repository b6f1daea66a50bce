// A program that expects that the old value is what it read.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> current;

int main() {
    current = std::make_shared<int>(1);
    std::thread writer([] { current = std::make_shared<int>(2); });
    std::shared_ptr<int> mine = current.load();
    assert(*mine == 1 || *mine == 2);
    writer.join();
    assert(*mine == 1);
    return 0;
}
