#include <cassert>
#include <mutex>
#include <thread>

static std::mutex guard;
static int hits;

static void visit() {
    hits++;
}

int main() {
    std::thread one(visit), two(visit);
    one.join();
    two.join();
    assert(hits == 2);
}
