// Who got the semaphore sees what was done before its release.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static int x;
static std::binary_semaphore s(0);

int main() {
    std::thread one([] {
        x = 1;
        s.release();
    });
    bool got = s.try_acquire_for(std::chrono::microseconds(50));
    assert(!got || x == 1);
    one.join();
    return 0;
}
