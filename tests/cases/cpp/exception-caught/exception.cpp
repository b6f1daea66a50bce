// An exception is thrown and caught inside a thread: locks are released on the way.
// Main gets the lock in any case.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static int caught;

static void worker() {
    try {
        std::lock_guard<std::mutex> guard(m);
        throw std::runtime_error("meant");
    } catch (const std::runtime_error &) {
        caught++;
    }
}

int main() {
    std::thread t(worker);
    {
        std::lock_guard<std::mutex> guard(m);
    }
    t.join();
    assert(caught == 1);
    return 0;
}
