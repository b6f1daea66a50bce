// Main looks at the result before it has joined the std::thread.
// Fails where the thread has not yet written x.
#include <cassert>
#include <thread>

static int x;

int main() {
    std::thread t([] { x = 1; });
    assert(x == 1);
    t.join();
    return 0;
}
