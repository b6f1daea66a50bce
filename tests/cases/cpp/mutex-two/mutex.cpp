// Two std::mutexes, taken in both orders: a deadlock.
// Each thread has its first and waits for its second.
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
    std::thread t([] {
        std::lock_guard<std::mutex> first(a);
        std::lock_guard<std::mutex> second(b);
    });
    {
        std::lock_guard<std::mutex> first(b);
        std::lock_guard<std::mutex> second(a);
    }
    t.join();
    return 0;
}
