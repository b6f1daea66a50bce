// end: exit 0
// end: fails OutOfBounds
int __VERIFIER_nondet_int(void);

int a[4];
int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0) return 0; return a[i]; }
