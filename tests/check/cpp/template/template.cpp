#include <cassert>

extern "C" unsigned char __VERIFIER_nondet_uchar(void);

template <typename T, unsigned N> class Ring {
    T cells[N];
    unsigned first = 0, count = 0;

public:
    bool push(T value) {
        if (count == N)
            return false;
        cells[(first + count++) % N] = value;
        return true;
    }
    bool pop(T &value) {
        if (count == 0)
            return false;
        value = cells[first];
        first = (first + 1) % N;
        count--;
        return true;
    }
};

int main() {
    Ring<unsigned char, 3> ring;
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), out;
    ring.push(0);
    ring.pop(out);
    assert(ring.push(a) && ring.push(b) && ring.push(1) && !ring.push(2));
    assert(ring.pop(out) && out == a);
    assert(ring.pop(out) && out == b);
    return 0;
}
