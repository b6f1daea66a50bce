#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

static char buffer[16];
static const char zeros[64];

int main(void) {
    unsigned offset = __VERIFIER_nondet_uint();
    unsigned length = __VERIFIER_nondet_uint();
    if (offset + length <= sizeof buffer && length <= sizeof zeros)
        memcpy(buffer, zeros, length);
    return 0;
}
