#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y;
    if (x < 0 || x > 100)
        return 0;
    __asm__("lea 1(%q1), %q0" : "=r"(y) : "r"((long)x));
    assert(y == x + 1);
    return 0;
}
