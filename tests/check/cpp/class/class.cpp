#include <cassert>

extern "C" unsigned char __VERIFIER_nondet_uchar(void);

class Level {
    int value;

public:
    explicit Level(int v) : value(v) {}
    Level operator+(const Level &other) const {
        int sum = value + other.value;
        return Level(sum);
    }
    bool valid() const { return value >= 0 && value <= 255; }
};

int main() {
    Level a(__VERIFIER_nondet_uchar()), b(__VERIFIER_nondet_uchar());
    Level sum = a + b;
    assert(sum.valid());
    return 0;
}
