// Both have done their work when the latch opens.
#include <cassert>
#include <latch>
#include <thread>

static int x[2];
static std::latch ready(2);

static void work(int i) {
    x[i] = 1;
    ready.count_down();
}

int main() {
    std::thread one(work, 0), two(work, 1);
    ready.wait();
    assert(x[0] == 1 && x[1] == 1);
    one.join();
    two.join();
    return 0;
}
