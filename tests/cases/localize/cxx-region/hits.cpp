// No lock at all; what was read is written back.
#include <cassert>
#include <thread>

static int hits;

static int visit(bool again) {
    if (!again)
        return 0;
    int seen = hits;
    hits = seen + 1;
    return seen;
}

int main() {
    std::thread one(visit, true), two(visit, true);
    one.join();
    two.join();
    assert(hits == 2);
}
