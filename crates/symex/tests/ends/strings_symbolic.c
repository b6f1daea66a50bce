// end: exit 0
// end: exit 1
// end: exit 2
// end: exit 3
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) { char s[4]; for (int i = 0; i < 3; i++) s[i] = __VERIFIER_nondet_uchar(); s[3] = 0; return strlen(s); }
