#include <assert.h>
#include <stdint.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    uint64_t a = ((uint64_t)1 << 63) | __VERIFIER_nondet_uint();
    unsigned __int128 product = (unsigned __int128)a * 4;
    assert((uint64_t)(product >> 64) == 2);
    assert((uint64_t)product == a << 2);
    __int128 negative = -(__int128)a;
    assert(negative < 0 && (negative >> 127) == -1);
    assert(negative + a == 0);
    return 0;
}
