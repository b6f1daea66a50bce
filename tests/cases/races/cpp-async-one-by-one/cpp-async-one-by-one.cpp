#include <future>

static int total;

int main() {
    std::async(std::launch::async, [] { total += 1; }).get();
    auto later = std::async(std::launch::deferred, [] { total *= 5; });
    auto last = std::async(std::launch::async, [] { total += 2; });
    last.wait();
    later.wait();
    return total != 15;
}
