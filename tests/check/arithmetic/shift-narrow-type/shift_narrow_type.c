#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    unsigned places = __VERIFIER_nondet_uchar() & 15;
    int shifted = c << places;
    assert(shifted >> places == c);
    unsigned long wide = (unsigned long)c << 56;
    assert(wide >> 56 == c);
    return 0;
}
