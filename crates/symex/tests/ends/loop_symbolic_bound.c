// end: assumed
// end: exit 0
// end: exit 1
// end: exit 3
// end: exit 6
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 3); int s = 0; for (int i = 1; i <= n; i++) s += i; return s; }
