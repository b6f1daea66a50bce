#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uchar();
    int one = 0;
    for (unsigned rest = x; rest; rest &= rest - 1)
        one++;
    unsigned two = (x & 0x55) + (x >> 1 & 0x55);
    two = (two & 0x33) + (two >> 2 & 0x33);
    two = (two & 0x0f) + (two >> 4);
    assert(one == (int)two);
    assert(__builtin_popcount(x) == one);
    if (x)
        assert(x >> __builtin_ctz(x) & 1 && 31 - __builtin_clz(x) < 8);
    assert(__builtin_bswap32(x) == x << 24);
    return 0;
}
