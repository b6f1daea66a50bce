#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n <= 12);
    unsigned rounds = 0;
    while (rounds < n)
        rounds++;
    assert(rounds == n);
    return 0;
}
