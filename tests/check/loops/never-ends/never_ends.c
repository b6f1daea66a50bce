#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = 0;
    while (n % 2 == 0)
        n += 2 * __VERIFIER_nondet_uint();
    assert(0);
    return 0;
}
