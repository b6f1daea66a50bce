// Read and written atomically, but not as one.
#include <atomic>
#include <cassert>
#include <thread>

static int x;

static void work() {
    std::atomic_ref r(x); r.store(r.load() + 1);
}

int main() {
    std::thread one(work), two(work);
    one.join();
    two.join();
    assert(x == 2);
    return 0;
}
