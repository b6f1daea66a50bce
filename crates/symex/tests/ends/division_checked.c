// end: exit 0
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0) { int y = 10 % x; assert(y < 10 || x > 10); } return 0; }
