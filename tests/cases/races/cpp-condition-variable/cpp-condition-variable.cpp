#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable filled;
static int *slot;

int main() {
    int value = 0;
    std::thread one([&] {
        value = 6;
        {
            std::lock_guard<std::mutex> guard(mutex);
            slot = &value;
        }
        filled.notify_one();
    });
    std::unique_lock<std::mutex> lock(mutex);
    filled.wait(lock, [] { return slot != nullptr; });
    lock.unlock();
    int seen = (*slot)++;
    one.join();
    return seen != 6;
}
