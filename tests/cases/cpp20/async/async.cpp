// What std::async did is seen once its future is ready.
#include <cassert>
#include <future>

static int x;

int main() {
    auto one = std::async(std::launch::async, [] { x = 1; return 2; });
    assert(one.get() == 2);
    assert(x == 1);
    return 0;
}
