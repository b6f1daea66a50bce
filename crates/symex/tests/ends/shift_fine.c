// end: exit 0
int __VERIFIER_nondet_int(void);

int main(void) { int x = __VERIFIER_nondet_int(); unsigned y = 1u << (x & 31); return 0; }
