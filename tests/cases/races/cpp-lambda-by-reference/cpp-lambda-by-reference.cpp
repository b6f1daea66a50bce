#include <thread>

int main() {
    int step = 1, seen = 0;
    std::thread one([&] {
        seen = step;
    });
    step = 2;
    one.join();
    return seen > 2;
}
