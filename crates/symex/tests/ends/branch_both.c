// end: exit 1
// end: exit 2
int __VERIFIER_nondet_int(void);

int main(void) { return __VERIFIER_nondet_int() > 5 ? 1 : 2; }
