// end: exit 0
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

struct s { char c; int v; short w; } t[5];
int main(void) { unsigned i = __VERIFIER_nondet_uint() % 5; t[i].v = 7; t[i].w = 3; int n = 0; for (int k = 0; k < 5; k++) n += t[k].v * t[k].w; assert(n == 21); return 0; }
