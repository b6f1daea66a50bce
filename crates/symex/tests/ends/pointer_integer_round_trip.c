// end: exit 0
#include <assert.h>
#include <stdint.h>
unsigned __VERIFIER_nondet_uint(void);

int a[4] = {0, 1, 2, 3};
int main(void) { uintptr_t u = (uintptr_t)a; unsigned i = __VERIFIER_nondet_uint() % 4; assert(*(int *)(u + 4 * i) == (int)i); return 0; }
