// std::call_once with a flag for each thread: the routine runs twice.
// Fails unless one of the two increments is lost.
#include <cassert>
#include <mutex>
#include <thread>

static int runs;

static void use(std::once_flag &once) {
    std::call_once(once, [] { runs++; });
}

static std::once_flag first, second;

int main() {
    std::thread t([] { use(first); });
    use(second);
    t.join();
    assert(runs == 1);
    return 0;
}
