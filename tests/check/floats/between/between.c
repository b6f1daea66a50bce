#include <assert.h>
#include <string.h>

extern float __VERIFIER_nondet_float(void);

int main(void) {
    float a = __VERIFIER_nondet_float();
    if (!(a > 0.5f && a < 100.0f))
        return 0;
    unsigned bits;
    memcpy(&bits, &a, 4);
    bits++;
    float b;
    memcpy(&b, &bits, 4);
    float middle = (a + b) * 0.5f;
    assert(a < middle && middle < b);
    return 0;
}
