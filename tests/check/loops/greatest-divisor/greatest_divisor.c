#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar() & 15, b = __VERIFIER_nondet_uchar() & 15;
    unsigned x = a, y = b;
    do {
        unsigned rest = x % y;
        x = y;
        y = rest;
    } while (y);
    assert(a % x == 0 && b % x == 0);
    return 0;
}
