#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000000)
        return 0;
    double x = n;
    assert((int)x == n);
    return 0;
}
