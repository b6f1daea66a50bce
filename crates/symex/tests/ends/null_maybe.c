// end: exit 3
// end: fails NullPointer
#include <stdlib.h>
_Bool __VERIFIER_nondet_bool(void);

int x = 3;
int main(void) { int *p = __VERIFIER_nondet_bool() ? &x : NULL; return *p; }
