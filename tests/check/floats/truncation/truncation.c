#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);

int main(void) {
    assert((int)2.9 == 2 && (int)-2.9 == -2);
    float half = __VERIFIER_nondet_char() * 0.5f;
    int cut = (int)half;
    assert(half - cut < 1 && half - cut > -1);
    assert(half < 0 ? cut >= half : cut <= half);
    assert((unsigned char)200.5f == 200);
    return 0;
}
