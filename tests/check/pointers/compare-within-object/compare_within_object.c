#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    double cells[8];
    unsigned i = __VERIFIER_nondet_uchar() % 8;
    unsigned j = __VERIFIER_nondet_uchar() % 8;
    double *p = &cells[i], *q = &cells[j];
    assert((p < q) == (i < j));
    assert((p == q) == (i == j));
    assert(p - q == (long)i - (long)j);
    return 0;
}
