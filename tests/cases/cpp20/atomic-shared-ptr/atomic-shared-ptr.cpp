// Old or new, and never freed under the reader.
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
    assert(*current.load() == 2);
    return 0;
}
