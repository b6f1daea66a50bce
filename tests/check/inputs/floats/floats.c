#include <assert.h>

extern double __VERIFIER_nondet_double(void);

int main(void) {
    double d = __VERIFIER_nondet_double();
    if (d > 0 && d < 1) {
        float f = (float)d;
        assert((double)f == d);
    }
    return 0;
}
