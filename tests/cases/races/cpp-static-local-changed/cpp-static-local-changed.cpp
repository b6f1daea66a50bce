#include <thread>

static int &counter() {
    static int value = [] { return 1; }();
    return value;
}

static void next() {
    int &mine = counter();
    mine = mine + 1;
}

int main() {
    std::thread one(next), two(next);
    one.join();
    two.join();
    return 0;
}
