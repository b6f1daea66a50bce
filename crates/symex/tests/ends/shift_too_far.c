// end: exit 0
// end: fails Shift
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0); unsigned y = 1u << x; return 0; }
