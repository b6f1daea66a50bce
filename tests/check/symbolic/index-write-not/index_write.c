#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int cells[6] = {0};
    unsigned i = __VERIFIER_nondet_uchar() % 6;
    unsigned j = __VERIFIER_nondet_uchar() % 6;
    __VERIFIER_assume(i != j);
    cells[i] = 1;
    assert(cells[j] == 0);
    return 0;
}
