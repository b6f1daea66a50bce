// end: fails Unreachable
int __VERIFIER_nondet_int(void);

int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) __builtin_unreachable(); __builtin_unreachable(); }
