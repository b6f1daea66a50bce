#include <assert.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    uint8_t mask = __VERIFIER_nondet_uchar();
    uint8_t inverse = ~mask;
    assert(~mask == inverse);
    return 0;
}
