#include <assert.h>
#include <stdbool.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    bool truth = n;
    unsigned char low = n;
    assert(truth == (low != 0));
    return 0;
}
