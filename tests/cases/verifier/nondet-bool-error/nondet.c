/* Two nondeterministic bools and reach_error: one of four combinations is bad.
 * The values of the failing run are part of its schedule. */
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    bool a = __VERIFIER_nondet_bool();
    bool b = __VERIFIER_nondet_bool();
    if (a && !b)
        reach_error();
    return 0;
}
