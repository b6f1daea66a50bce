// end: exit 4
// end: exit 5
_Bool __VERIFIER_nondet_bool(void);

int f(void) { return 4; }
int g(void) { return 5; }
int main(void) { int (*h)(void) = __VERIFIER_nondet_bool() ? f : g; return h(); }
