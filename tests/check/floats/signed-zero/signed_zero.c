#include <assert.h>
#include <math.h>
#include <string.h>

int main(void) {
    double plus = 0.0, minus = -0.0;
    unsigned long bits;
    assert(plus == minus);
    memcpy(&bits, &minus, sizeof bits);
    assert(bits == 1UL << 63);
    assert(1 / plus > 0 && 1 / minus < 0);
    assert(signbit(minus) && !signbit(plus));
    assert(minus + plus == 0 && !signbit(minus + plus));
    return 0;
}
