// end: exit 1
// end: exit 2
// end: exit 3
int __VERIFIER_nondet_int(void);

int main(void) { switch (__VERIFIER_nondet_int()) { case 5: case 7: return 1; case 9: return 2; default: return 3; } }
