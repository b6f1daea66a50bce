#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned size = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    assert(size <= 0x80000000u);
    assert((n < 0 ? 0u - size : size) == (unsigned)n);
    return 0;
}
