// A reader sees both or neither.
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
        std::shared_lock lock(m);
        assert(x == y);
    }
    writer.join();
    return 0;
}
