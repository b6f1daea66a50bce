#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex mutex;
static int state;

static void change() {
    std::lock_guard<std::timed_mutex> guard(mutex);
    state = 1;
}

static void look(int *seen) {
    if (mutex.try_lock_for(std::chrono::milliseconds(10)))
        mutex.unlock();
    else
        *seen = state;
}

int main() {
    int seen = 0;
    std::thread one(change), two(look, &seen);
    one.join();
    two.join();
    return seen > 1;
}
