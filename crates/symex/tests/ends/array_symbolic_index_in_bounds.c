// end: exit 0
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

int a[4] = {1, 2, 3, 4};
int main(void) { unsigned i = __VERIFIER_nondet_uint() % 4; assert(a[i] == (int)i + 1); a[i] = 9; assert(a[i] == 9); int s = 0; for (int k = 0; k < 4; k++) s += a[k]; assert(s == 10 + 9 - (int)i - 1); return 0; }
