// Both halves or neither.
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) Pair {
    long a, b;
};

static std::atomic<Pair> pair;

int main() {
    std::thread writer([] { pair = Pair{1, 1}; });
    Pair mine = pair;
    assert(mine.a == mine.b);
    writer.join();
    return 0;
}
