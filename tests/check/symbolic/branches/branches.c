#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool();
    int level = 0;
    if (a)
        level += 1;
    if (b)
        level *= 2;
    else
        level += 3;
    if (c)
        level -= 2;
    assert(level != 2);
    return 0;
}
