#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = 0;
    while (1) {
        assert(n % 2 == 0);
        n += 2;
    }
}
