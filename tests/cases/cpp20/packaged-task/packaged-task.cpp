// Main waits for the task.
#include <cassert>
#include <future>
#include <thread>

static int x;

int main() {
    std::packaged_task<int()> task([] { x = x + 1; return x; });
    auto future = task.get_future();
    std::thread worker(std::move(task));
    assert(future.get() == 1);
    x = x + 1;
    worker.join();
    assert(x == 2);
    return 0;
}
