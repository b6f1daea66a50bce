// The value is set last.
#include <cassert>
#include <future>
#include <thread>

static int x;

int main() {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread worker([&] {
        x = 1;
        promise.set_value(1);
    });
    int got = future.get();
    assert(got == 1 && x == 1);
    worker.join();
    return 0;
}
