// end: exit 0
// end: fails Assertion
#include <assert.h>
double __VERIFIER_nondet_double(void);

int main(void) { double d = __VERIFIER_nondet_double(); assert(d == d); return 0; }
