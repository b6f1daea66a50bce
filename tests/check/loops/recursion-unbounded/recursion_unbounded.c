#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned depth(unsigned n) { return n == 0 ? 0 : 1 + depth(n - 1); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    assert(depth(n) != 6);
    return 0;
}
