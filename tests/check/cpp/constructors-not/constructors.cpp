#include <cassert>

struct Counter {
    int value;
    Counter(int v) : value(v) {}
};

extern Counter base;
Counter base(7);
Counter derived(base.value + 1);

int main() {
    assert(derived.value == 8);
    return 0;
}
