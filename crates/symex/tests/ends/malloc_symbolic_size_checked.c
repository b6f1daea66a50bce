// end: exit 0
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void) { unsigned n = __VERIFIER_nondet_uint() % 8; char *p = malloc(n); if (n > 3) p[3] = 1; free(p); return 0; }
