// Two at a time.
#include <cassert>
#include <semaphore>
#include <thread>

static int x;
static std::counting_semaphore<4> s(2);

static void work() {
    s.acquire();
    x = x + 1;
    s.release();
}

int main() {
    std::thread one(work);
    work();
    one.join();
    assert(x == 2);
    return 0;
}
