// end: cut
// end: exit 0
// end: exit 1
// end: exit 2
// end: exit 3
// end: exit 4
// unwind: 4
int __VERIFIER_nondet_int(void);

int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; return i; }
