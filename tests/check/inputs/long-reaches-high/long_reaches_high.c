#include <assert.h>

extern long __VERIFIER_nondet_long(void);

int main(void) {
    long n = __VERIFIER_nondet_long();
    int cut = (int)n;
    if (n > 0 && cut == 0)
        assert(0);
    return 0;
}
