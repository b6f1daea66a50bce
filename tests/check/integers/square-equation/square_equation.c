#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short n = __VERIFIER_nondet_ushort();
    unsigned short square = (unsigned short)((unsigned)n * n);
    assert(square != 32761);
    return 0;
}
