#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned bits = __VERIFIER_nondet_uint() & 0xfffff;
    unsigned copy = 0;
    for (int i = 0; i < 20; i++)
        if (bits & 1u << i)
            copy |= 1u << i;
    assert(copy == bits);
    return 0;
}
