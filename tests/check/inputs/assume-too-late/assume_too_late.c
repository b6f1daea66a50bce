#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    assert(n != 0);
    __VERIFIER_assume(n > 0);
    return 0;
}
