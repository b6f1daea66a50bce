// end: exit 1
// end: exit 2
// end: exit 3
unsigned __VERIFIER_nondet_uint(void);

int a = 1, b = 2, c = 3; int *t[3] = {&a, &b, &c};
int main(void) { unsigned i = __VERIFIER_nondet_uint() % 3; return *t[i]; }
