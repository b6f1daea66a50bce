// Two threads append to one list under a lock: what links the nodes is libstdc++'s own code.
#include <cassert>
#include <list>
#include <mutex>
#include <thread>

static std::list<int> numbers;
static std::mutex guard;

static void append(int number) {
    std::lock_guard<std::mutex> held(guard);
    numbers.push_back(number);
}

int main() {
    std::thread a([] { append(1); });
    std::thread b([] { append(2); });
    a.join();
    b.join();
    int there = 0;
    for (int number : numbers) there += number;
    assert(there == 3);
    return 0;
}
