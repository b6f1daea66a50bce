#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    using namespace std::chrono;
    auto steady = steady_clock::now();
    auto calendar = system_clock::now();
    std::this_thread::sleep_for(hours(1));
    assert(steady_clock::now() - steady >= hours(1));
    assert(system_clock::now() - calendar >= hours(1));
    std::mutex mutex;
    std::condition_variable condition;
    std::unique_lock<std::mutex> lock(mutex);
    assert(condition.wait_for(lock, hours(1)) == std::cv_status::timeout);
    assert(steady_clock::now() - steady >= hours(2));
    std::this_thread::sleep_until(steady + hours(5));
    assert(steady_clock::now() - steady >= hours(5));
    return 0;
}
