// end: exit 0
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

union u { unsigned w; unsigned char b[4]; };
int main(void) { union u u; u.w = __VERIFIER_nondet_uint(); unsigned char t = u.b[0]; u.b[0] = u.b[3]; u.b[3] = t; unsigned v = u.w; u.b[3] = u.b[0]; u.b[0] = t; assert((v & 0xffff00) == (u.w & 0xffff00)); return 0; }
