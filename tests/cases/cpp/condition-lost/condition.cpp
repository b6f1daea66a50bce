// std::condition_variable without a predicate: a lost wake-up.
// Deadlocks where notify_one comes before the wait.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;

int main() {
    std::thread t([] {
        std::lock_guard<std::mutex> guard(m);
        c.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        c.wait(lock);
    }
    t.join();
    return 0;
}
