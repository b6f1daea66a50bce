/* __VERIFIER_assume: runs in which it is false do not count.
 * So the assertion holds in all others. */
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int main(void) {
    bool a = __VERIFIER_nondet_bool();
    bool b = __VERIFIER_nondet_bool();
    __VERIFIER_assume(a || b);
    __VERIFIER_assume(!b);
    assert(a);
    return 0;
}
