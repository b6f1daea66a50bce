// end: exit 0
// end: exit 1
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) { char s[3] = "ab"; s[1] = __VERIFIER_nondet_uchar(); return strcmp(s, "ax") == 0; }
