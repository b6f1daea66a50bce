#include <assert.h>
#include <stdint.h>

extern unsigned __VERIFIER_nondet_uint(void);

static uint32_t left(uint32_t x, unsigned n) {
    n %= 32;
    return n ? x << n | x >> (32 - n) : x;
}

int main(void) {
    uint32_t x = __VERIFIER_nondet_uint();
    unsigned n = __VERIFIER_nondet_uint();
    n &= 31;
    assert(left(left(x, n), 32 - n) == x);
    return 0;
}
