#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    unsigned sum = a + b;
    unsigned long exact = (unsigned long)a + b;
    assert((sum < a) == (exact > 0xffffffffUL));
    assert(a - b + b == a);
    assert(-a + a == 0);
    return 0;
}
