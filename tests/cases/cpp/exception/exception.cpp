// An exception leaves a thread uncaught.
// Happens where main has set x before the thread looks.
#include <stdexcept>
#include <thread>

static int x;

static void worker() {
    if (x == 1)
        throw std::runtime_error("out of tune");
}

int main() {
    std::thread t(worker);
    x = 1;
    t.join();
    return 0;
}
