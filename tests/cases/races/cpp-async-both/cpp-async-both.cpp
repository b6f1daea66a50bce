#include <future>

static int total;

static void add(int n) {
    total += n;
}

int main() {
    auto one = std::async(std::launch::async, add, 1);
    auto two = std::async(std::launch::async, add, 2);
    one.get();
    two.get();
    return total > 3;
}
