#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned char b = __VERIFIER_nondet_uchar();
    int sum = a + b;
    unsigned char kept = a + b;
    assert(sum == (int)a + (int)b && sum <= 510);
    assert(kept == sum || kept == sum - 256);
    assert((a << 4) >> 4 == a);
    assert(~a < 0);
    return 0;
}
