// Two threads append to one list without a lock: what links the nodes is libstdc++'s own code.
#include <cassert>
#include <list>
#include <thread>

static std::list<int> numbers;

int main() {
    std::thread a([] { numbers.push_back(1); });
    std::thread b([] { numbers.push_back(2); });
    a.join();
    b.join();
    int there = 0;
    for (int number : numbers) there += number;
    assert(there == 3);
    return 0;
}
