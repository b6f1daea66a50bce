#include <assert.h>

extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 1e200);
    double big = x * x;
    double gap = big - x * x;
    assert(gap < 1e300 && gap > -1e300);
    return 0;
}
