// A detached jthread is not waited for.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex m;
static std::condition_variable_any changed;
static int stopped, destroyed;

int main() {
    {
        std::jthread worker([](std::stop_token stop) {
            std::unique_lock lock(m);
            changed.wait(lock, stop, [] { return false; });
            stopped = 1;
        });
        worker.request_stop();
        worker.detach();
    }
    destroyed = 1;
    assert(stopped == 1);
    return 0;
}
