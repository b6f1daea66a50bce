#include <assert.h>

extern long __VERIFIER_nondet_long(void);

int main(void) {
    long n = __VERIFIER_nondet_long();
    int kind = 0;
    switch (n) {
    case -5 ... -1: kind = 1; break;
    case 0x100000000L: kind = 2; break;
    case 10 ... 20: kind = 3;
    }
    assert((kind == 1) == (n < 0 && n >= -5));
    assert((kind == 2) == (n == 4294967296L));
    assert((kind == 3) == (n >= 10 && n <= 20));
    return 0;
}
