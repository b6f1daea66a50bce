#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned char *byte = (unsigned char *)&n;
    unsigned again = byte[0] | byte[1] << 8 | byte[2] << 16 | (unsigned)byte[3] << 24;
    assert(again == n);
    unsigned was = n;
    byte[3] ^= 0x80;
    assert(n == (was ^ 0x80000000u));
    *(unsigned short *)(byte + 2) = 0;
    assert(n == (was & 0xffff));
    return 0;
}
