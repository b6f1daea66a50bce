// A reader waits, whether the writer is done or not.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static std::condition_variable_any c;
static bool ready;

int main() {
    std::thread worker([] {
        std::unique_lock lock(m);
        ready = true;
        c.notify_one();
    });
    {
        std::shared_lock lock(m);
        c.wait(lock);
        assert(ready);
    }
    worker.join();
    return 0;
}
