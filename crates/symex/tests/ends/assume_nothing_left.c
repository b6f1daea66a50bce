// end: assumed
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); __VERIFIER_assume(x < 2); return 0; }
