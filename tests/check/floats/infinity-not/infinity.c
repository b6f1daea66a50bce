#include <assert.h>

extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);

int main(void) {
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0 && x < 1e10f);
    float big = x + x;
    float gap = big - x;
    assert(gap < 1e30f && gap > -1e30f);
    return 0;
}
