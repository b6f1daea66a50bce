// end: exit 0
// end: fails DivisionByZero
int __VERIFIER_nondet_int(void);

int main(void) { int x = __VERIFIER_nondet_int(); int y = 10 % x; return 0; }
