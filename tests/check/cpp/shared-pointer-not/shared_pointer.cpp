#include <cassert>
#include <memory>
#include <thread>

struct Counted {
    static int alive;
    Counted() { alive++; }
    ~Counted() { alive--; }
};
int Counted::alive;

int main() {
    {
        auto shared = std::make_shared<Counted>();
        std::thread one([shared] { assert(shared); });
        one.join();
    }
    assert(Counted::alive == 0);
}
