#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int wide = __VERIFIER_nondet_int();
    __VERIFIER_assume(wide >= 0 && wide <= 255);
    unsigned char narrow = (unsigned char)wide;
    assert(narrow == wide);
    return 0;
}
