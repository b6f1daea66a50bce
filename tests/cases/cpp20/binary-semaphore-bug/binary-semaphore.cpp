// The semaphore is released too early.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static int x;
static std::binary_semaphore s(0);

int main() {
    std::thread one([] {
        s.release();
        x = 1;
    });
    bool got = s.try_acquire_for(std::chrono::microseconds(50));
    assert(!got || x == 1);
    one.join();
    return 0;
}
