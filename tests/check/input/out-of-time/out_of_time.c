#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned mix(unsigned h, unsigned k) {
    h ^= k;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned h = 0, g = 0;
    for (int i = 0; i < 64; i++) {
        h = mix(h + b, a + i) * (a | 1);
        g = mix(g + a, h * b) + h;
    }
    assert(h != 0x12345678 || g != 0x9abcdef0 || a == b);
    return 0;
}
