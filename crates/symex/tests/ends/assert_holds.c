// end: assumed
// end: exit 0
#include <assert.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0 && x < 10); assert(x * x < 100); return 0; }
