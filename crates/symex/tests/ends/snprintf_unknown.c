// end: exit 0
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);

int main(void) { char b[32]; int x = __VERIFIER_nondet_int(); int n = snprintf(b, sizeof b, "%d", x); assert(n >= 0); return 0; }
