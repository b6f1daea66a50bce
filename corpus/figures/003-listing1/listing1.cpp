// Paper 003, Listing 1: x is locked, y is not; the lock's order often hides the race from TSan.
// The assertion on y is ours: it makes the race's harm, a lost update, a failure.
#include <cassert>
#include <mutex>
#include <thread>

static int x = 0;
static int y = 0;
static std::mutex mutex;

static void Thread1() {
    y += 1;
    {
        std::lock_guard<std::mutex> lock(mutex);
        x += 1;
    }
}

static void Thread2() {
    {
        std::lock_guard<std::mutex> lock(mutex);
        x += 1;
    }
    y += 1;
}

int main() {
    std::thread t1(Thread1);
    std::thread t2(Thread2);
    t1.join();
    t2.join();
    assert(x == 2);
    assert(y == 2);
    return 0;
}
