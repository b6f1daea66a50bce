#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned size = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    int result = (int)size;
    assert(result >= 0);
    return 0;
}
