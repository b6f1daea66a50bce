// An object with a thread is made before main, and races with it.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int x;

static void count() {
    x++;
}

struct Service {
    std::thread thread{count};
    void stop() { thread.join(); }
};

static Service service;

int main() {
    count();
    service.stop();
    assert(x == 2);
    return 0;
}
