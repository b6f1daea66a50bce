#include <cassert>
#include <thread>
static int hits;
int main() {
    auto visit = [] { hits++; };
    std::thread a(visit), b(visit);
    a.join();
    b.join();
    assert(hits == 2);
}
