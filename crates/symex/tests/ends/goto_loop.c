// end: cut
// end: exit 0
// unwind: 3
int __VERIFIER_nondet_int(void);

int main(void) { int i = 0; again: if (i++ < __VERIFIER_nondet_int()) goto again; return 0; }
