#include <assert.h>

extern short __VERIFIER_nondet_short(void);

int main(void) {
    assert((int)2.9 == 2 && (int)-2.9 == -2);
    double half = __VERIFIER_nondet_short() * 0.5;
    int cut = (int)half;
    assert(half - cut < 1 && half - cut > -1);
    assert(half < 0 ? cut >= half : cut <= half);
    assert((unsigned char)200.5f == 200);
    return 0;
}
