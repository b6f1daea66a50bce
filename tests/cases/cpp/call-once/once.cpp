// std::call_once: whoever comes first runs the routine, the other waits for its end.
// Main is the second thread.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int runs;

static void use() {
    std::call_once(once, [] { runs++; });
    assert(runs == 1);
}

int main() {
    std::thread t(use);
    use();
    t.join();
    return 0;
}
