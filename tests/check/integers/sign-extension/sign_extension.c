#include <assert.h>
#include <stdint.h>

extern short __VERIFIER_nondet_short(void);

int main(void) {
    int16_t half = __VERIFIER_nondet_short();
    uint64_t wide = half;
    assert(wide >> 16 == 0);
    return 0;
}
