// end: exit 0
#include <assert.h>
#include <ctype.h>
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); if (isdigit(c)) assert(c >= 48 && c <= 57); if (toupper(c) != c) assert(c >= 97 && c <= 122); return 0; }
