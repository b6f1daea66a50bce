#include <assert.h>
#include <stdbool.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long bits = __VERIFIER_nondet_ulong();
    bool truth = bits;
    assert(truth == 0 || truth == 1);
    assert(truth == !!bits);
    truth = 256;
    assert(truth == 1);
    truth = 0.5;
    assert(truth + truth == 2);
    return 0;
}
