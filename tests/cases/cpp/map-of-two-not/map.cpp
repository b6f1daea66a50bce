// Two threads insert into one map under a lock. Where the tree is put in order again is libstdc++'s own code.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

static std::map<int, int> squares{{0, 0}, {9, 81}};

static std::mutex guard;

static void insert(int number) {
    std::lock_guard<std::mutex> held(guard);
    squares[number] = number * number;
}

int main() {
    std::thread a(insert, 3), b(insert, 5);
    a.join();
    b.join();
    assert(squares.size() == 4 && squares.at(3) == 9 && squares.at(5) == 25);
    return 0;
}
