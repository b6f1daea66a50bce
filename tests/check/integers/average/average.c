#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned average(unsigned a, unsigned b) {
    return (a + b) / 2;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    unsigned middle = average(a, b);
    if (a <= b)
        assert(a <= middle && middle <= b);
    return 0;
}
