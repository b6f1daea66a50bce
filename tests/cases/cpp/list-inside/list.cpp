// Two threads append to one list without a lock. What links the nodes is inside libstdc++ and not seen.
#include <list>
#include <thread>

static std::list<int> numbers;

int main() {
    std::thread a([] { numbers.push_back(1); });
    std::thread b([] { numbers.push_back(2); });
    a.join();
    b.join();
    return 0;
}
