#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = 0;
    while (1) {
        assert(n % 2 == 0);
        if (__VERIFIER_nondet_uint() == 7)
            n += 1;
        n += 2;
    }
}
