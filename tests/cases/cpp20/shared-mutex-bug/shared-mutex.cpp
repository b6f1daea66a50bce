// A reader without the lock.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int x, y;

int main() {
    std::thread writer([] {
        std::unique_lock lock(m);
        x = 1;
        y = 1;
    });
    {
        assert(x == y);
    }
    writer.join();
    return 0;
}
