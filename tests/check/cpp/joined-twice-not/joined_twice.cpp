#include <cassert>
#include <stdexcept>
#include <thread>

static int x, refused;

int main() {
    std::thread one([] { x = 1; });
    one.join();
    try {
        one.join();
    } catch (const std::runtime_error &) {
        refused++;
    }
    assert(refused == 1);
    return x - 1;
}
