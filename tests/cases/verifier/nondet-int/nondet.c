/* __VERIFIER_nondet_int: too many values to try all, so they are drawn.
 * Nothing fails, but nobody may say that everything was covered. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    assert((n & 1) == 0 || (n & 1) == 1);
    return 0;
}
