// What a global object's constructor does happens before anything is counted.
#include <cassert>
#include <thread>

struct Counter {
    int count, limit;
    Counter() : count(0), limit(2) {}
    ~Counter() { count = -1; }
    void add() { count = count + 1; }
};

static Counter counter;

int main() {
    std::thread a([] { counter.add(); }), b([] { counter.add(); });
    a.join();
    b.join();
    assert(counter.count == counter.limit);
    return 0;
}
