#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int below(int a, unsigned limit) {
    return a < limit;
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        assert(below(a, 10));
    return 0;
}
