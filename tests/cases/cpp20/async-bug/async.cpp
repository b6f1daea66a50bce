// Main looks before the future is ready.
#include <cassert>
#include <future>

static int x;

int main() {
    auto one = std::async(std::launch::async, [] { x = 1; return 2; });
    assert(x == 1);
    return 0;
}
