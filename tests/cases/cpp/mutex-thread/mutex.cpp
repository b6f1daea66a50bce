// std::mutex and std::thread together; main is the second thread.
// std::thread reads what main gave to it: steps that are the library's, so none are counted.
#include <cassert>
#include <mutex>
#include <thread>

static int x;
static std::mutex m;

static void worker() {
    std::lock_guard<std::mutex> guard(m);
    x++;
}

int main() {
    std::thread t(worker);
    worker();
    t.join();
    assert(x == 2);
    return 0;
}
