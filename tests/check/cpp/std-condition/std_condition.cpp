#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable told;
static bool ready;
static int data;

static void reader() {
    std::unique_lock<std::mutex> hold(guard);
    told.wait(hold);
    assert(data == 7);
}

int main() {
    std::thread one(reader);
    {
        std::lock_guard<std::mutex> hold(guard);
        data = 7;
        ready = true;
    }
    told.notify_one();
    one.join();
}
