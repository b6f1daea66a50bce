#include <cassert>
#include <mutex>
#include <thread>

static std::mutex guard;
static int hits;

static void visit() {
    std::lock_guard<std::mutex> hold(guard);
    hits++;
}

int main() {
    std::thread one(visit), two(visit);
    one.join();
    two.join();
    assert(hits == 2);
}
