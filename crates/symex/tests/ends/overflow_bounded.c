// end: exit 0
// checks: overflow
int __VERIFIER_nondet_int(void);

int main(void) { int x = __VERIFIER_nondet_int(); if (x < 1000 && x > -1000) { int y = x * x; } return 0; }
