#include <assert.h>
#include <stdint.h>

extern _Bool __VERIFIER_nondet_bool(void);

static unsigned char object[4] __attribute__((aligned(4))) = {1, 2, 3, 4};

int main(void) {
    uintptr_t word = (uintptr_t)object;
    assert((word & 3) == 0);
    if (__VERIFIER_nondet_bool())
        word |= 1;
    unsigned char *bytes = (unsigned char *)word;
    assert(bytes[0] == 1 && bytes[2] == 3);
    return 0;
}
