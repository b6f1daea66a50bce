// A plain pair is written in two halves.
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) Pair {
    long a, b;
};

static struct Pair2 { long a, b; Pair2 &operator=(Pair p) { a = p.a; b = p.b; return *this; } operator Pair() const { return {a, b}; } } pair;

int main() {
    std::thread writer([] { pair = Pair{1, 1}; });
    Pair mine = pair;
    assert(mine.a == mine.b);
    writer.join();
    return 0;
}
