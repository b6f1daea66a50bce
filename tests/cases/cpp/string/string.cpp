// Two threads append to a string if it is empty: check and use are not one step.
// Fails where both find it empty.
#include <cassert>
#include <string>
#include <thread>

static std::string text;

static void worker() {
    if (text.empty())
        text += "x";
}

int main() {
    std::thread other(worker);
    worker();
    other.join();
    assert(text.size() == 1);
}
