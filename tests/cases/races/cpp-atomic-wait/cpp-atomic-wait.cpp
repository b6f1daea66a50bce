#include <atomic>
#include <thread>

static std::atomic<int> stage{0};
static int work;

int main() {
    std::thread one([] {
        work = 4;
        stage.store(1, std::memory_order_release);
        stage.notify_one();
    });
    stage.wait(0, std::memory_order_acquire);
    work++;
    one.join();
    return work != 5;
}
