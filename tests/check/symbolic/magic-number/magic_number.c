#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_ushort();
    if (n < 1000) {
        unsigned a = n / 100, b = n / 10 % 10, c = n % 10;
        if (a * b * c == 36 && a + b + c == 14 && a > c)
            assert(0);
    }
    return 0;
}
