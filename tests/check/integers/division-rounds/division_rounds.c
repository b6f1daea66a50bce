#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int a = __VERIFIER_nondet_char();
    int b = __VERIFIER_nondet_char();
    __VERIFIER_assume(b > 0 && b < 100);
    int q = a / b, r = a % b;
    assert(q * b + r == a);
    assert(r < b && -r < b);
    assert(a >= 0 || r <= 0);
    assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1);
    return 0;
}
