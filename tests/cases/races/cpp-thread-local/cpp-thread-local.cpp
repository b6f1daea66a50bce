#include <mutex>
#include <thread>

static std::mutex mutex;
static int made;

struct Cache {
    int hits = 0;
    Cache() {
        std::lock_guard<std::mutex> guard(mutex);
        made++;
    }
};
static thread_local Cache cache;

static void hit() {
    cache.hits++;
}

int main() {
    std::thread one(hit), two(hit);
    one.join();
    two.join();
    return made != 2;
}
