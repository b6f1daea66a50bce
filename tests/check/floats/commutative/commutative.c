#include <assert.h>

extern float __VERIFIER_nondet_float(void);

int main(void) {
    float a = __VERIFIER_nondet_float();
    float b = __VERIFIER_nondet_float();
    if (a == a && b == b) {
        float one = a + b, two = b + a;
        assert(one == two || (one != one && two != two));
    }
    return 0;
}
