// end: exit 0
#include <string.h>
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void) { char b[6] = {0}; unsigned i = __VERIFIER_nondet_uint() % 5; short v = 0x0101; memcpy(&b[i], &v, 2); int s = 0; for (int k = 0; k < 6; k++) s += b[k]; assert(s == 2); return 0; }
