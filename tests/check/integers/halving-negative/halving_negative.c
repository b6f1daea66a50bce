#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    assert(a / 2 == a >> 1);
    return 0;
}
