// Who has the lock sees both or neither.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex m;
static int x, y;

int main() {
    std::thread writer([] {
        std::unique_lock lock(m, std::chrono::seconds(1));
        if (!lock)
            return;
        x = 1;
        y = 1;
    });
    {
        std::shared_lock lock(m, std::chrono::seconds(1));
        assert(!lock || x == y);
    }
    writer.join();
    return 0;
}
