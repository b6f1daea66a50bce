// end: exit 0
// end: exit 1
// end: exit 2
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

struct n { struct n *next; };
int main(void) { unsigned k = __VERIFIER_nondet_uint(); __VERIFIER_assume(k < 3); struct n *h = 0; for (unsigned i = 0; i < k; i++) { struct n *m = malloc(sizeof *m); m->next = h; h = m; } int c = 0; while (h) { struct n *m = h->next; free(h); h = m; c++; } return c; }
