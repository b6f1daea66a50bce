// end: exit 0
#include <string.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) { int x = __VERIFIER_nondet_int(), y; char b[8]; memcpy(b + 1, &x, 4); memcpy(&y, b + 1, 4); assert(x == y); assert((unsigned char)b[1] == (x & 255)); return 0; }
