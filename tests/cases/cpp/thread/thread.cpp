// std::thread and join: what the thread wrote is there after the join.
// Main only waits, so there is little to interleave.
#include <cassert>
#include <thread>

static int x;

int main() {
    std::thread t([] { x = 1; });
    t.join();
    assert(x == 1);
    return 0;
}
