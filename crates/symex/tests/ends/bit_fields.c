// end: exit 0
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

struct b { unsigned a : 3, b : 5; int c : 4; };
int main(void) { struct b x = {0}; unsigned v = __VERIFIER_nondet_uint(); x.b = v; x.a = 7; x.c = v; assert(x.b == (v & 31)); assert(x.a == 7); assert(x.c >= -8 && x.c < 8); return 0; }
