/* __VERIFIER_nondet_bool: exhaustive strategies try both values.
 * Two of them make four runs, and nothing else varies. */
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void) {
    bool a = __VERIFIER_nondet_bool();
    bool b = __VERIFIER_nondet_bool();
    assert(!(a && b) == (!a || !b));
    return 0;
}
