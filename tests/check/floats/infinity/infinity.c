#include <assert.h>

extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);

int main(void) {
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 1e20f);
    float big = x * x;
    float gap = big - x * x;
    assert(gap < 1e30f && gap > -1e30f);
    return 0;
}
