// The completion adds what both did, before either goes on.
#include <barrier>
#include <cassert>
#include <thread>

static int x[2], sum;
static void add() noexcept { sum = x[0] + x[1]; }
static std::barrier<void (*)() noexcept> phase(2, add);

static void work(int i) {
    x[i] = 1;
    phase.arrive_and_wait();
    assert(sum == 2);
}

int main() {
    std::thread one(work, 0);
    work(1);
    one.join();
    return 0;
}
