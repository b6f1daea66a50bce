// end: exit 0
int __VERIFIER_nondet_int(void);

int main(void) { int x = __VERIFIER_nondet_int(); int y = x + 1; return 0; }
