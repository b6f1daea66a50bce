// The value is set before what it stands for.
#include <cassert>
#include <future>
#include <thread>

static int x;

int main() {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread worker([&] {
        promise.set_value(1);
        x = 1;
    });
    int got = future.get();
    assert(got == 1 && x == 1);
    worker.join();
    return 0;
}
