#include <assert.h>

extern float __VERIFIER_nondet_float(void);

static int moderate(float x) { return x > -1e9f && x < 1e9f; }

int main(void) {
    float a = __VERIFIER_nondet_float();
    float b = __VERIFIER_nondet_float();
    float c = __VERIFIER_nondet_float();
    if (moderate(a) && moderate(b) && moderate(c)) {
        float left = (a + b) + c, right = a + (b + c);
        assert(left == right);
    }
    return 0;
}
