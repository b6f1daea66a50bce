// end: exit 0
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) { int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 16) { float f = i; assert((int)f == i); assert((int)(f / 2) == i / 2); } return 0; }
