#include <cassert>

struct Counter {
    int value;
    Counter(int v) : value(v) {}
};

extern Counter base;
Counter derived(base.value + 1);
Counter base(7);

int main() {
    assert(derived.value == 8);
    return 0;
}
