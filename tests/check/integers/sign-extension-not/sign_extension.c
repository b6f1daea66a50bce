#include <assert.h>
#include <stdint.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    uint16_t half = __VERIFIER_nondet_ushort();
    uint64_t wide = half;
    assert(wide >> 16 == 0);
    return 0;
}
