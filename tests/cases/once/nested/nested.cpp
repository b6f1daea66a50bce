// The inner routine is done, the outer one is not, however often it throws.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag outer, inner;
static int made;

static void work() {
    try {
        std::call_once(outer, [] {
            std::call_once(inner, [] { made++; });
            throw 1;
        });
    } catch (int) {
    }
}

int main() {
    std::thread one(work);
    work();
    one.join();
    bool again = false;
    std::call_once(outer, [&] { again = true; });
    assert(again && made == 1);
    return 0;
}
