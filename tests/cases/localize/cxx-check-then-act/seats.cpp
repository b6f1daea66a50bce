// Whether there is a seat is seen under one lock, and it is taken under the next.
#include <cassert>
#include <mutex>
#include <thread>

static int seats = 1;
static std::mutex m;

static bool book() {
    bool free;
    {
        std::lock_guard<std::mutex> guard(m);
        free = seats > 0;
    }
    if (free) {
        std::lock_guard<std::mutex> guard(m);
        seats--;
    }
    return free;
}

int main() {
    std::thread one(book), two(book);
    one.join();
    two.join();
    assert(seats == 0);
}
