// end: exit 0
// end: fails OutOfBounds
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void) { unsigned n = __VERIFIER_nondet_uint() % 8; char *p = malloc(n); p[3] = 1; free(p); return 0; }
