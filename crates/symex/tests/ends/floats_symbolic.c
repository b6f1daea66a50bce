// end: exit 0
#include <assert.h>
float __VERIFIER_nondet_float(void);

int main(void) { float f = __VERIFIER_nondet_float(); if (f > 1.0f && f < 2.0f) assert(f * 2.0f < 4.0f); return 0; }
