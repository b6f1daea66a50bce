// end: exit 0
// end: fails Assertion
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) { unsigned x = __VERIFIER_nondet_uint(); unsigned y = x * 3; if (y == 21) assert(x == 7); if (y == 22) reach_error(); return 0; }
