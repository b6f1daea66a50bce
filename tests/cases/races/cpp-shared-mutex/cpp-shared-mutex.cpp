#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int cached;

static int get() {
    {
        std::shared_lock<std::shared_mutex> reading(mutex);
        if (cached)
            return cached;
    }
    std::unique_lock<std::shared_mutex> writing(mutex);
    return cached = 5;
}

int main() {
    int other = 0;
    std::thread one([&] { other = get(); });
    int mine = get();
    one.join();
    return mine != other;
}
