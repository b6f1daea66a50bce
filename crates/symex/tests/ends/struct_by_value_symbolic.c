// end: exit 0
#include <assert.h>
int __VERIFIER_nondet_int(void);

struct s { long a[5]; };
long f(struct s s) { s.a[1]++; return s.a[1]; }
int main(void) { struct s s; s.a[1] = __VERIFIER_nondet_int(); long r = f(s); assert(r == s.a[1] + 1); return 0; }
