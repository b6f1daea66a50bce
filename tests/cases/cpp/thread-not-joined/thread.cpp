// A std::thread is destroyed without join or detach: std::terminate.
// Happens only where main sees that the thread is already done.
#include <atomic>
#include <thread>

static std::atomic<int> done;

int main() {
    std::thread t([] { done = 1; });
    if (done)
        return 0;
    t.join();
    return 0;
}
