// Who is woken takes it for granted that there is something left.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable filled;
static int items;

static void consume() {
    std::unique_lock<std::mutex> lock(m);
    if (items == 0)
        filled.wait(lock);
    items--;
    assert(items >= 0);
}

static void produce() {
    for (int i = 0; i < 2; i++) {
        std::lock_guard<std::mutex> lock(m);
        items++;
        filled.notify_all();
    }
}

int main() {
    std::thread one(consume), two(consume), maker(produce);
    one.join();
    two.join();
    maker.join();
}
