#include <assert.h>

extern float __VERIFIER_nondet_float(void);

static int sign(float x) {
    if (x < 0)
        return -1;
    else if (x == 0)
        return 0;
    return 1;
}

int main(void) {
    float x = __VERIFIER_nondet_float();
    int s = sign(x);
    assert(s != 1 || x > 0);
    return 0;
}
