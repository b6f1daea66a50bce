// end: exit 1
// end: exit 2
_Bool __VERIFIER_nondet_bool(void);

int a = 1, b = 2;
int main(void) { int *p = __VERIFIER_nondet_bool() ? &a : &b; return *p; }
