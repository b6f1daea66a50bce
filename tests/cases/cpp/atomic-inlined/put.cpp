// What std::atomic does is always inlined: it happens in the line that calls it.
#include <atomic>
#include <cassert>
#include <thread>
static std::atomic<int> refs{2};
static std::atomic<int> gone{0};
static void bump() {
    gone.fetch_add(1);
}
static void put() {
    refs.fetch_sub(1);
    if (refs.load() == 0)
        bump();
}
int main() {
    std::thread a([] { put(); });
    std::thread b([] { put(); });
    a.join();
    b.join();
    assert(gone.load() == 1);
}
