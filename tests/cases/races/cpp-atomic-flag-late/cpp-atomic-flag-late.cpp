#include <atomic>
#include <thread>

static std::atomic<bool> stop{false};
static int state;

static void run() {
    if (!stop.load())
        state = 1;
}

static void halt() {
    stop.store(true);
    state = 0;
}

int main() {
    std::thread one(run), two(halt);
    one.join();
    two.join();
    return 0;
}
