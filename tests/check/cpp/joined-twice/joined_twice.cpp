#include <thread>

static int x;

int main() {
    std::thread one([] { x = 1; });
    one.join();
    one.join();
    return x - 1;
}
