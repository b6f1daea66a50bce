// An object with a thread is made before main.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int x;

static void count() {
    std::lock_guard<std::mutex> guard(m);
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
