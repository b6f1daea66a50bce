#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned power(unsigned base, unsigned exponent) {
    if (exponent == 0)
        return 1;
    unsigned half = power(base, exponent / 2);
    return half * half;
}

int main(void) {
    unsigned exponent = __VERIFIER_nondet_uchar() & 7;
    assert(power(2, exponent) == 1u << exponent || exponent == 0);
    return 0;
}
