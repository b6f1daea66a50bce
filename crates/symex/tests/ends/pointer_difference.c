// end: exit 0
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

int a[10];
int main(void) { unsigned i = __VERIFIER_nondet_uint() % 10; int *p = &a[i]; assert(p - a == i); assert((char *)p - (char *)a == 4 * i); return 0; }
