// end: exit 0
// end: fails Assertion
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 77); return 0; }
